// Every page on every device as a test that compares it with its snapshot. A project runs those of its device.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';

const { COMPAREBENCH_FOLDER: folder, COMPAREBENCH_SIDE: side } = process.env;
const { paths, devices } = JSON.parse(readFileSync(join(folder, 'task.json'), 'utf8'));

for (const path of paths) {
  for (const { name } of devices) {
    const label = `${name}${path.replaceAll('/', '_')}`;
    test(label, async ({ page }) => {
      await page.goto(side + path);
      await expect(page).toHaveScreenshot(`${label}.png`, { fullPage: true });
    });
  }
}
