import { defineConfig } from '@playwright/test';

import type { AfterimageReporterOptions } from '@afterimage/playwright/reporter';

// The Go test TestThePlaywrightPackage (e2e) serves the pages and starts these tests.
const { SHOP: baseURL, CHROMIUM: executablePath, RESULTS: outputDir = '', OPTIONS = '{}' } = process.env;
if (!baseURL || !executablePath) {
  throw new Error('Run go test -run TestThePlaywrightPackage ./e2e: it serves the pages.');
}

export default defineConfig({
  testDir: '.',
  testIgnore: 'stored.spec.ts',
  outputDir,
  reporter: [['line'], ['../dist/reporter.js', JSON.parse(OPTIONS) as AfterimageReporterOptions]],
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 1,
  timeout: 300_000, // also on a busy machine
  use: { baseURL, launchOptions: { executablePath } },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1000, height: 600 } } },
    { name: 'phone', use: { viewport: { width: 390, height: 700 }, isMobile: true, deviceScaleFactor: 2 }, grep: /a basket/ },
  ],
});
