import { ask, expect, given, run, signIn, signInAt, test as quietTest } from './person';
import { test, type Page } from '@playwright/test';

const pagesOf = `query ($id: ID!) { batch(id: $id) { comparisons(first: 100) { nodes { id address } } } }`;

interface First {
  batch: { comparisons: { nodes: { id: string; address: string }[] } };
}

/** Signs in, and has all pages of the run open again. */
async function begin(page: Page): Promise<First['batch']> {
  await signIn(page);
  const { batch } = await ask<First>(page, pagesOf, { id: run });
  const ids = batch.comparisons.nodes.map(({ id }) => id);
  await ask(page, `mutation ($ids: [ID!]!) { reopenComparisons(ids: $ids) { changedCount } }`, { ids });
  return batch;
}

quietTest('what is judged in one tab is seen in another', async ({ page, context }) => {
  await begin(page);
  await page.goto(`/runs/${run}`);
  const other = await context.newPage();
  await other.goto(`/runs/${run}`);
  const hours = (tab: typeof page) =>
    tab.getByRole('list', { name: 'Changes of this run' }).getByRole('article').filter({ hasText: 'ten to six' });
  await expect(hours(other)).toContainText('Approve on 8 pages');
  await hours(page)
    .getByRole('button', { name: /^Approve/ })
    .click();
  await expect(hours(other)).toContainText('2 pages remain open');
  await page.keyboard.press('u');
  await expect(hours(other)).toContainText('Approve on 8 pages');
});

test('without a connection nothing is lost: it says so, refuses what cannot be saved, and goes on by itself', async ({ page, context }) => {
  await begin(page);
  await page.goto(`/runs/${run}`);
  const hours = page.getByRole('list', { name: 'Changes of this run' }).getByRole('article').filter({ hasText: 'ten to six' });
  await expect(hours).toContainText('Approve on 8 pages');
  await context.setOffline(true);
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  await hours.getByRole('button', { name: /^Approve/ }).click();
  await expect(page.getByText('The verdict was not saved').first()).toBeVisible();
  await expect(hours).toContainText('Approve on 8 pages');
  await context.setOffline(false);
  await hours.getByRole('button', { name: /^Approve/ }).click();
  await expect(page.getByText('6 pages approved')).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByText('6 verdicts undone')).toBeVisible();
  await expect(page.locator('body[data-same-page]')).toBeVisible();
});

test('a picture that cannot be shown leaves the rest of the comparison', async ({ page }) => {
  await page.route('**/images/**', (route) => route.fulfill({ contentType: 'image/png', body: 'no picture' }));
  const batch = await begin(page);
  await page.goto(`/comparisons/${batch.comparisons.nodes[0]?.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(batch.comparisons.nodes[0]?.address ?? '?');
  await expect(page.getByText(/could not be (shown|loaded)/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve' })).toBeEnabled();
});

test('a token that is revoked during a review ends it in words, and nothing that was decided is lost', async ({ page, browser }) => {
  await begin(page);
  const { createToken } = await ask<{ createToken: { plainText: string; token: { id: string } } }>(
    page,
    `mutation { createToken(input: { name: "Reviewer for a day", scopes: [READ, REVIEW] }) { plainText token { id } } }`,
  );
  const context = await browser.newContext();
  const reviewer = await context.newPage();
  await signInAt(reviewer, `/runs/${run}?view=pages`, createToken.plainText);
  await expect(reviewer.locator('[data-comparison]')).toHaveCount(8);
  await reviewer.keyboard.press('j');
  await reviewer.keyboard.press('x');
  await expect(reviewer.getByText('1 page marked to be fixed')).toBeVisible();
  await ask(page, `mutation ($id: ID!) { revokeToken(id: $id) { token { id } } }`, { id: createToken.token.id });

  const dialog = reviewer.getByRole('dialog', { name: 'You are signed out' });
  await expect(async () => {
    await reviewer.keyboard.press('a');
    await expect(dialog).toBeVisible({ timeout: 500 });
  }).toPass();
  const counts = `query ($id: ID!) { batch(id: $id) { comparisonsCount { new toFix ok } } }`;
  const { batch } = await ask<{ batch: { comparisonsCount: object } }>(page, counts, { id: run });
  expect(batch.comparisonsCount).toMatchObject({ new: 7, toFix: 1, ok: 0 });

  // The way back leads to the same place.
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await reviewer.getByLabel('API token').fill(given('TOKEN'));
  await reviewer.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(reviewer).toHaveURL(`/runs/${run}?view=pages`);
  await expect(reviewer.locator('[data-comparison]')).toHaveCount(8);
  await context.close();
});
