import { expect, test } from '@playwright/test';

import { expectAccessible } from '../accessible';

for (const width of [1280, 390]) {
  test(`every state is accessible and fits, ${width} pixels wide`, async ({ page }) => {
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await expect(page.getByRole('region', { name: 'Loading, empty and problem' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await expectAccessible(page);
    expect(said).toEqual([]);
  });
}
