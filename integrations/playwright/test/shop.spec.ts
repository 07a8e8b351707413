import { expect, test } from '@playwright/test';

import { afterimage } from '@afterimage/playwright';

import { listElements } from '../dist/elements.js';

test('a basket, also on a phone', async ({ page }, info) => {
  await page.goto('/basket');
  await page.getByRole('button', { name: 'Add' }).click(); // a state that no address leads to
  await afterimage(page, 'basket/one article', { mask: [page.locator('.session')] });
  if (info.project.name === 'desktop') {
    expect(info.retry, 'the first attempt fails, and its screenshot does not count').toBe(1);
  }
});

test('a part of a page', async ({ page }) => {
  await page.goto('/basket');
  await afterimage(page.getByRole('contentinfo'), 'footer');
});

test('a page that moves', async ({ page }) => {
  await page.goto('/moving');
  await expect(afterimage(page, 'moving', { timeout: 300 })).rejects.toThrow('did not settle');
});

// Each entry used to be looked for among all of them: with so many, that took longer than a test may.
test('a list of twenty thousand entries is described', async ({ page }) => {
  await page.setContent('<ul></ul><p>after</p>');
  await page.evaluate(() => {
    document.querySelector('ul')?.append(...Array.from({ length: 20_000 }, () => document.createElement('li')));
  });
  const elements = await page.evaluate(listElements, { box: { x: 0, y: 0, width: 1000, height: 200 }, masks: [] });
  expect(elements.slice(0, 5).map(({ selector }) => selector)).toEqual([
    'html', 'html > body', 'html > body > ul', 'html > body > ul > li:nth-of-type(1)', 'html > body > ul > li:nth-of-type(2)',
  ]);
  expect(elements.length).toBeLessThan(50);
});
