import { ask, counted, expect, expectAccessible, given, many, signIn, signInAt, test } from './account';

const site = given('SITE');

interface Groups {
  groups: { totalCount: number };
}

const groups = '{ groups { totalCount } }';

test('an empty account comes from an address to its first comparison', async ({ page }) => {
  await signIn(page);
  await page.getByRole('link', { name: 'Add a site' }).click();
  const address = page.getByLabel('Paste the address of your website');

  // What cannot be captured is refused at once, and leaves nothing behind.
  for (const [wrong, why] of [
    ['http://10.0.0.1/', /public/],
    ['not an address', /address|host|URL/i],
  ] as const) {
    await address.fill(wrong);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(address).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText(why).first()).toBeVisible();
  }
  expect((await ask<Groups>(page, groups)).groups.totalCount).toBe(0);
  await expectAccessible(page);

  // A page deep in the site will do; the others are found by the links of the start page, as there is no sitemap.
  await address.fill(`http://${site}/one?from=mail#top`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('checkbox', { name: `${site}/priced` })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: /price-list.pdf/ })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: `${site}/two` }).uncheck();
  await page.getByRole('button', { name: /^Add \d pages$/ }).click();

  await page.getByRole('switch', { name: 'Mobile' }).click();
  await page.getByRole('button', { name: 'Take the first screenshots' }).click();
  await expect(page.getByText('The first screenshots are ready.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('The first screenshots are ready.')).toBeVisible();
  await page.request.post(given('CONTROL'), { params: { release: 'next' } });
  await page.getByRole('button', { name: 'Take screenshots again and compare' }).click();
  await expect(page.getByText(/\d changes were found/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'See what changed' }).click();
  await expect(
    page.getByRole('list', { name: 'Changes of this run' }).getByRole('article').filter({ hasText: 'ten to six' }),
  ).toBeVisible();
});

test('who starts again is led to the group that is there', async ({ page }) => {
  await signInAt(page, '/start');
  await page.getByLabel('Paste the address of your website').fill(`http://${site}/one`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(`There is already a group named ${site}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Add the page to it and continue' }).click();
  await expect(page.getByRole('checkbox', { name: `${site}/two` })).toBeVisible();
  expect((await ask<Groups>(page, groups)).groups.totalCount).toBe(1);
});

test('of many pasted lines, half of them no addresses, each bad one is named and the good ones are taken', async ({ page }) => {
  await signInAt(page, '/sites');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Many');
  await page.getByRole('switch', { name: 'Run on a schedule' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Paste addresses' }).click();
  const lines = Array.from({ length: 2 * many }, (_, index) =>
    index % 2 === 0 ? `http://${site}/page/${index}` : `no address ${index} <b>`,
  );
  const dialog = page.getByRole('dialog', { name: 'Paste addresses' });
  // Pasted, not typed: what types into a text area enters each line for itself.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), lines.join('\n'));
  await dialog.getByLabel('Addresses').focus();
  await page.keyboard.press('Control+V');
  await expect(dialog.getByText(`${counted(2 * many)} lines`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog.getByText(`${counted(many)} pages can be added; ${counted(many)} lines are invalid:`)).toBeVisible();
  const refused = dialog.getByRole('list', { name: 'Invalid lines' });
  await expect(refused.getByRole('listitem').first()).toContainText('Line 2');
  await refused.evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await expect(refused.getByText(`Line ${counted(2 * many)}`)).toBeVisible();
  await dialog.getByRole('button', { name: `Add the ${counted(many)} valid URLs` }).click();
  await expect(page.getByText(`${counted(many)} pages were added`)).toBeVisible();
  await expect(page.getByRole('heading', { name: `${counted(many)} URLs` })).toBeVisible();
});
