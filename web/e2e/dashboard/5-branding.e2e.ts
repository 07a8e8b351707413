import type { Page } from '@playwright/test';

import { ask, expect, expectAccessible, run, signInAt, test } from './person';

const share = `mutation ($id: ID!) { shareBatch(id: $id, permission: REVIEW) { batch { publicLink { url } } } }`;

interface Shared {
  shareBatch: { batch: { publicLink: { url: string } } };
}

/** A picture of 40 × 20 pixels, drawn by the browser. */
async function logo(page: Page): Promise<Buffer> {
  const numbers = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(40, 20);
    canvas.getContext('2d')?.fillRect(0, 0, 40, 20);
    return Array.from(new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp' })).arrayBuffer()));
  });
  return Buffer.from(numbers);
}

test('an owner gives public pages a logo and a colour, which guests see in their language', async ({ page, browser }) => {
  await signInAt(page, '/settings/branding');
  const preview = page.getByRole('figure', { name: 'Preview' });
  await page
    .getByLabel('Logo', { exact: true })
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') });
  await page.getByRole('button', { name: 'Save branding' }).click();
  await expect(page.getByText(/must be a picture in the format PNG, JPEG or WebP/).first()).toBeVisible();
  await page
    .getByLabel('Logo', { exact: true })
    .setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(512 * 1024 + 1) });
  await expect(page.getByText('The file is larger than 512 KiB.')).toBeVisible();

  await page.getByLabel('Logo', { exact: true }).setInputFiles({ name: 'logo.webp', mimeType: 'image/webp', buffer: await logo(page) });
  await page.getByLabel('Colour', { exact: true }).fill('#ffd800');
  await expect(preview.getByText('Comment')).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(preview.getByRole('img')).toHaveJSProperty('naturalWidth', 40);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save branding' }).click();
  await expect(page.getByText('The branding was saved')).toBeVisible();
  await page.reload();
  await expect(preview.getByRole('img')).toHaveJSProperty('naturalWidth', 40);
  await expect(page.getByLabel('Colour', { exact: true })).toHaveValue('#ffd800');

  const { url } = (await ask<Shared>(page, share, { id: run })).shareBatch.batch.publicLink;
  const guest = await (await browser.newContext({ locale: 'de-DE' })).newPage();
  const wrong: string[] = [];
  guest.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  await guest.goto(url);
  await expect(guest.locator('.letterhead')).toHaveCSS('background-color', 'rgb(255, 216, 0)');
  await expect(guest.locator('.letterhead img')).toHaveJSProperty('naturalWidth', 40);
  await expect(guest.getByRole('heading', { name: 'Was sich geändert hat' })).toBeVisible();
  await expectAccessible(guest);
  await guest.locator('[data-comparison] a').first().click();
  await expect(guest.getByRole('radio', { name: 'Nebeneinander' })).toBeVisible();
  await expect(guest.locator('.letterhead img')).toHaveJSProperty('naturalWidth', 40);
  await guest.getByRole('button', { name: 'Kommentare' }).click();
  await guest.getByLabel('Ihr Kommentar').fill('Gut so');
  const send = guest.getByRole('button', { name: 'Kommentieren' });
  await expect(send).toHaveCSS('background-color', 'rgb(255, 216, 0)');
  await expect(send).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expectAccessible(guest);

  // The choice of a language stays on the way to other pages.
  await guest.getByRole('link', { name: 'English' }).click();
  await expect(guest.getByRole('radio', { name: 'Side by side' })).toBeVisible();
  await guest.getByRole('link', { name: 'All pages of this run' }).click();
  await expect(guest.getByRole('heading', { name: 'What changed' })).toBeVisible();
  expect(wrong).toEqual([]);
  await guest.context().close();

  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByLabel('Colour', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Save branding' }).click();
  await expect(page.getByText('The branding was saved')).toBeVisible();
  expect(await ask(page, '{ brand { logo color } }')).toEqual({ brand: { logo: null, color: null } });
});
