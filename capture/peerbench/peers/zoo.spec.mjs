// Every job of a batch as a test that takes the snapshot of a page.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@playwright/test';

for (const { url, file } of JSON.parse(readFileSync(join(process.env.PEERBENCH_FOLDER, 'jobs.json')))) {
  test(file, async ({ page }) => {
    await page.goto(url);
    await expect(page).toHaveScreenshot(basename(file), { fullPage: true });
  });
}
