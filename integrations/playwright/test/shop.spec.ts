import { expect, test } from '@playwright/test';

import { afterimage } from '@afterimage/playwright';

test('a basket, also on a phone', async ({ page }, info) => {
  await page.goto('/basket');
  await page.getByRole('button', { name: 'Add' }).click(); // a state that no address leads to
  await afterimage(page, 'basket/one article', { mask: [page.locator('.session')] });
  expect(info.retry, 'the first attempt fails, and its screenshot does not count').toBe(1);
});

test('a part of a page', async ({ page }) => {
  await page.goto('/basket');
  await afterimage(page.getByRole('contentinfo'), 'footer');
});

test('a page that moves', async ({ page }) => {
  await page.goto('/moving');
  await expect(afterimage(page, 'moving', { timeout: 300 })).rejects.toThrow('does not come to rest');
});
