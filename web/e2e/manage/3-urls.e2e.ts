import type { Page } from '@playwright/test';

import { ask, counted, expect, expectAccessible, many, signInAt, test } from './account';

/** Opens the group into which many addresses were pasted. */
async function openMany(page: Page): Promise<void> {
  await signInAt(page, '/sites');
  await page.getByRole('link', { name: 'Many' }).click();
  await expect(page.getByRole('heading', { name: `${counted(many)} URLs` })).toBeVisible();
}

const list = (page: Page) => page.getByRole('table', { name: 'URLs of the group' });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected URLs' });

async function inBar(page: Page, menu: string, item: string): Promise<void> {
  await bar(page).getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('URLs are sorted, chosen with keys and given a tag, by which they are found and run', async ({ page }) => {
  await openMany(page);
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption({ value: 'ADDRESS' });
  await expect(page).toHaveURL(/sort=ADDRESS/);
  const rows = list(page).getByRole('row');
  await expect(rows.nth(1)).toContainText('/page/0');
  await page.getByRole('button', { name: 'Reverse order' }).click();
  await expect(rows.nth(1)).toContainText(`/page/${2 * many - 2}`);

  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await rows
    .nth(3)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await expect(bar(page)).toContainText('3 URLs selected');
  await inBar(page, 'Tags', 'Add tag…');
  const dialog = page.getByRole('dialog', { name: 'Add tag to 3 URLs' });
  await expectAccessible(page);
  await dialog.getByRole('combobox', { name: 'Tag' }).fill('one, two');
  await dialog.getByRole('button', { name: 'Add to 3 URLs' }).click();
  await expect(dialog.getByText(/must not contain commas/)).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Tag' }).fill('Smoke test');
  await dialog.getByRole('button', { name: 'Add to 3 URLs' }).click();
  await expect(page.getByText('The tags of 3 URLs were changed')).toBeVisible();
  await expect(dialog).toHaveCount(0); // until then it has the keys
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);

  await rows.nth(2).getByRole('button', { name: 'Smoke test' }).click();
  await expect(page).toHaveURL(/tag=Smoke/);
  await expect(page.getByRole('heading', { name: '3 URLs found' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Capture URLs with this tag' }).click();
  await page.getByRole('menuitem', { name: 'Take before screenshots' }).click();
  await expect(page.getByText('6 screenshots are being taken')).toBeVisible();
});

test('all URLs that match are edited, with their number named, and it is undone', async ({ page }) => {
  await openMany(page);
  await page.getByRole('checkbox', { name: `Select all ${counted(many)} URLs` }).check();
  await expect(bar(page)).toContainText(`${counted(many)} URLs selected`);
  await list(page).getByRole('row').nth(1).getByRole('checkbox').uncheck();
  await expect(bar(page)).toContainText(`${counted(many - 1)} URLs selected`);
  await expectAccessible(page);

  await inBar(page, 'Devices', 'Disable mobile');
  await page
    .getByRole('dialog', { name: `Disable mobile for ${counted(many - 1)} URLs?` })
    .getByRole('button', { name: `Update ${counted(many - 1)} URLs` })
    .click();
  await expect(page.getByText(`${counted(many - 1)} URLs were updated`)).toBeVisible();
  await expect(page.getByText(`${counted(many)} URLs, ${counted(many + 1)} screenshots per run`)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(`${counted(many)} URLs, ${counted(2 * many)} screenshots per run`)).toBeVisible();

  await inBar(page, 'Remove', 'Remove from group…');
  const dialog = page.getByRole('dialog', { name: `Remove ${counted(many - 1)} URLs from the group?` });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: `Remove ${counted(many - 1)} URLs` }).click();
  await expect(page.getByRole('heading', { name: '1 URL', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: `${counted(many)} URLs` })).toBeVisible();
});

test('a URL gets another address and tags, and is deleted; tags are renamed and deleted', async ({ page }) => {
  await openMany(page);
  const old = many - 76; // a page that is there
  await page.getByRole('searchbox', { name: 'Search addresses and titles' }).fill(`/page/${old}`);
  await expect(page.getByRole('heading', { name: '1 URL found' })).toBeVisible();
  await page.getByRole('button', { name: /^Settings for / }).click();
  const dialog = page.getByRole('dialog', { name: 'URL settings' });
  const address = dialog.getByRole('textbox', { name: 'Address' });
  const value = await address.inputValue();
  const at = (path: number) => value.replace(/\d+$/, `${path}`);
  await address.fill(at(old + 2));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/already been taken/)).toBeVisible();
  await address.fill(at(old + 1)); // odd: there is no such page
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('smoke test,');
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('Blog');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search addresses and titles' }).fill(`/page/${old + 1}`);
  await expect(list(page).getByRole('row').nth(1)).toContainText(/Blog ?Smoke test/);
  await page.getByRole('button', { name: /^Settings for / }).click();
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByRole('dialog', { name: 'Delete this URL?' }).getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText('No matching URLs')).toBeVisible();

  await page.goto('/settings/tags');
  await expect(page.getByRole('row', { name: /Smoke test/ })).toContainText('3');
  await page
    .getByRole('row', { name: /Smoke test/ })
    .getByRole('button', { name: 'Rename' })
    .click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Front pages');
  await page.getByRole('button', { name: 'Rename tag' }).click();
  await page
    .getByRole('row', { name: /Front pages/ })
    .getByRole('button', { name: 'Delete' })
    .click();
  const question = page.getByRole('dialog', { name: /Delete the tag/ });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(question).toHaveCount(0); // until then it hides the rows
  await expect(page.getByRole('row', { name: /Front pages/ })).toHaveCount(0);
  expect((await ask<{ tags: unknown[] }>(page, '{ tags { name urlsCount } }')).tags).toEqual([{ name: 'Blog', urlsCount: 0 }]);
});
