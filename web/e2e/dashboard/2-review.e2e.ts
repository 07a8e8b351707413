import type { Page } from '@playwright/test';

import { ask, expect, expectAccessible, given, go, run, signIn, signInAt, test } from './person';

const openIn = `query ($id: ID!) { batch(id: $id) { comparisonsCount { new ok } } }`;

interface Counts {
  batch: { comparisonsCount: { new: number; ok: number } };
}

test('a run is reviewed with keys only; what was not shown with an approved change stays open; everything can be undone', async ({
  page,
}) => {
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await go(page, 'r', '/runs');
  await page.goto(`/runs/${run}`);
  const changes = page.getByRole('list', { name: 'Changes of this run' }).getByRole('article');
  const hours = changes.filter({ hasText: 'ten to six' });
  const price = changes.filter({ hasText: '91.00' });
  await expect(hours).toContainText('on 8 pages');
  await expect(hours).toContainText('4 desktop');
  await expect(price).toContainText('on 2 pages');
  await expect(hours.getByRole('img')).toHaveCount(2);
  // What a screen reader tells of a change.
  await expect(hours).toMatchAriaSnapshot(`
    - article:
      - paragraph: Not sure
      - heading /Paragraph. .Open from nine to five. → .Open from ten to six./ [level=2]
      - button /Approve on 8 pages/
      - button /To be fixed/
      - button /False positive/
      - link "Open a page"
      - figure /Before/:
        - img /Before. Paragraph. .Open from nine to five./
      - figure /After/:
        - img /After. Paragraph. .Open from nine to five./
  `);
  await expectAccessible(page);

  // To the change of all pages, and approve it everywhere.
  const current = page.locator('li[aria-current="true"]');
  for (let step = 0; step < 10 && !((await current.textContent()) ?? '').includes('ten to six'); step += 1) {
    await page.keyboard.press('j');
  }
  await page.keyboard.press('a');
  await expect(page.getByText('6 pages approved')).toBeVisible();
  await expect(page.getByText(/2 pages remain open/).first()).toBeVisible();
  expect((await ask<Counts>(page, openIn, { id: run })).batch.comparisonsCount).toMatchObject({ new: 2, ok: 6 });
  await expect(page.getByText(/Also shows: .*91\.00/).first()).toBeVisible();

  await page.keyboard.press('u');
  await expect(page.getByText('6 verdicts undone')).toBeVisible();
  expect((await ask<Counts>(page, openIn, { id: run })).batch.comparisonsCount).toMatchObject({ new: 8, ok: 0 });
});

test('once every change of a page is approved, the page is, whoever approved the others', async ({ page, browser }) => {
  await signInAt(page, `/runs/${run}`);
  const colleague = await (await browser.newContext()).newPage();
  await signInAt(colleague, `/runs/${run}`);
  const changesOf = (of: typeof page) => of.getByRole('list', { name: 'Changes of this run' }).getByRole('article');
  const price = changesOf(colleague).filter({ hasText: '91.00' });
  await expect(price.getByRole('button', { name: /^Approve/ })).toBeVisible();

  // What is approved in one browser is seen in another one at once, also where it closes no page.
  await changesOf(page)
    .filter({ hasText: '91.00' })
    .getByRole('button', { name: /^Approve/ })
    .click();
  await expect(page.getByText('Change approved', { exact: true })).toBeVisible();
  await expect(price.getByText('Approved; 2 pages remain open')).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByText('Verdict undone')).toBeVisible();
  await expect(price.getByText('Approved; 2 pages remain open')).toBeHidden();

  await changesOf(page)
    .filter({ hasText: 'ten to six' })
    .getByRole('button', { name: /^Approve/ })
    .click();
  await expect(page.getByText('6 pages approved')).toBeVisible();
  await expect(changesOf(colleague).filter({ hasText: 'ten to six' }).getByText('Approved; 2 pages remain open')).toBeVisible();
  await price.getByRole('button', { name: /^Approve/ }).click();
  await expect(colleague.getByText('2 pages approved')).toBeVisible();
  expect((await ask<Counts>(page, openIn, { id: run })).batch.comparisonsCount).toMatchObject({ new: 0, ok: 8 });
  await colleague.keyboard.press('u');
  await expect(colleague.getByText('2 verdicts undone')).toBeVisible();
  await colleague.context().close();
});

test('somebody who may review and no more does so', async ({ page, browser }) => {
  await signIn(page);
  const { createToken } = await ask<{ createToken: { plainText: string } }>(
    page,
    `mutation { createToken(input: { name: "Reviewer", scopes: [READ, REVIEW] }) { plainText } }`,
  );
  const reviewer = await (await browser.newContext()).newPage();
  await signInAt(reviewer, `/runs/${run}?view=pages`, createToken.plainText);
  await expect(reviewer.locator('[data-comparison]')).toHaveCount(8);
  await reviewer.keyboard.press('j');
  await reviewer.keyboard.press('x');
  await expect(reviewer.getByText('1 page marked to be fixed')).toBeVisible();
  await reviewer.keyboard.press('u');
  await expect(reviewer.getByText('1 verdict undone')).toBeVisible();
  await reviewer.context().close();
});

test('pages are judged in the grid and in the viewer', async ({ page }) => {
  await signInAt(page, `/runs/${run}?view=pages`);
  await expect(page.locator('[data-comparison]')).toHaveCount(8);
  await expectAccessible(page);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.getByText('1 page marked to be fixed')).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByText('1 verdict undone')).toBeVisible();

  // All pages that a filter finds, without looking at each.
  await page.getByRole('group', { name: 'Device' }).getByRole('button', { name: 'Mobile' }).click();
  await expect(page.locator('[data-comparison]')).toHaveCount(4);
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Select all 4 pages' }).click();
  await page.getByRole('toolbar', { name: 'Selected pages' }).getByRole('button', { name: 'To be fixed' }).click();
  await expect(page.getByText('4 pages marked to be fixed')).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByText('4 verdicts undone')).toBeVisible();
  await page.getByRole('group', { name: 'Device' }).getByRole('button', { name: 'Mobile' }).click();

  await page.locator('[data-comparison]').first().getByRole('link').click();
  await expect(page).toHaveURL(/\/comparisons\//);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('/');
  await expectAccessible(page);
  const first = page.url();
  await expect(page.getByRole('button', { name: 'Next page' })).toBeEnabled(); // which page that is comes after the page itself
  await page.keyboard.press(']');
  await expect(page).not.toHaveURL(first);
  await expect(page.getByRole('button', { name: 'Previous page' })).toBeEnabled();
  await page.keyboard.press('[');
  await expect(page).toHaveURL(first);
  await page.keyboard.press('i');
  await page.getByLabel('Comment', { exact: true }).fill('<img src=x onerror="document.title=\'hostile\'"> & <b>not bold</b>');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('<b>not bold</b>')).toBeVisible();

  // Who wrote it may change it, and whoever reviews may delete it.
  await page.getByRole('button', { name: 'Edit comment' }).click();
  await page.getByRole('textbox', { name: 'Edit comment' }).fill('Wrong hours');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Wrong hours')).toBeVisible();
  await expect(page.getByText('edited', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Delete comment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete comment' }).click();
  await expect(page.getByText('Wrong hours')).toHaveCount(0);
});

/** Makes a group of a page that does not answer until its run is cancelled. */
async function neverEnding(page: Page): Promise<string> {
  const { createGroup } = await ask<{ createGroup: { group: { id: string } } }>(
    page,
    'mutation { createGroup(input: { name: "Never ending" }) { group { id } } }',
  );
  const { id } = createGroup.group;
  await ask(page, 'mutation ($id: ID!, $addresses: [String!]!) { addAddressesToGroup(groupId: $id, addresses: $addresses) { count } }', {
    id,
    addresses: [new URL('/held', given('PAGE')).href],
  });
  return id;
}

test('a run is renamed, and one that is of no use is deleted', async ({ page }) => {
  await signIn(page);
  const take = `mutation ($group: ID!) { takeScreenshots(input: { groupIds: [$group], scType: PRE }) { batch { id } } }`;
  const { takeScreenshots } = await ask<{ takeScreenshots: { batch: { id: string } } }>(page, take, { group: await neverEnding(page) });
  await page.goto(`/runs/${takeScreenshots.batch.id}`);
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Rename');
  const dialog = page.getByRole('dialog', { name: 'Rename this run' });
  await dialog.getByLabel('Name').fill('By <b>mistake</b>');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'By <b>mistake</b>' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByText('The run was cancelled')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Nothing to compare yet' })).toBeVisible();
  await choose('Delete');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/runs$/);
  await expect(page.getByText('By <b>mistake</b>” was deleted')).toBeVisible();
});

test('a run is shared with somebody who has no account, until the link ends', async ({ page, browser }) => {
  await signInAt(page, `/runs/${run}`);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByLabel('Public link').inputValue();
  const stranger = await (await browser.newContext()).newPage();
  expect((await stranger.goto(link))?.status()).toBe(200);
  await page.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(page.getByRole('button', { name: 'Create link' })).toBeVisible();
  expect((await stranger.goto(link))?.status()).toBe(404);
  await stranger.context().close();
});
