// The project that run.mjs starts: the defaults of @playwright/test but for the browser, where files go, and as many workers as
// all tools are given (its default is half of the processors).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.COMPAREBENCH_FOLDER;
const { browser, concurrency, devices } = JSON.parse(readFileSync(join(folder, 'task.json'), 'utf8'));

export default {
  testDir: '.',
  testMatch: 'shop.spec.mjs',
  outputDir: join(folder, 'results'),
  snapshotPathTemplate: join(folder, 'snapshots/{arg}{ext}'),
  fullyParallel: true,
  workers: concurrency,
  reporter: 'json',
  projects: devices.map(({ name, width, height, mobile }) => ({
    name,
    grep: new RegExp(`${name}_`),
    use: { browserName: 'chromium', viewport: { width, height }, isMobile: mobile, hasTouch: mobile, launchOptions: { executablePath: browser } },
  })),
};
