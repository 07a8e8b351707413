import type { Browser, Page } from '@playwright/test';

import { ask, expect, expectAccessible, run, signIn, test } from './person';

const counts = `query ($id: ID!) { batch(id: $id) { comparisonsCount { new ok toFix } comparisons(first: 100) { nodes { id } } } }`;

interface Counts {
  batch: { comparisonsCount: { new: number; ok: number; toFix: number }; comparisons: { nodes: { id: string }[] } };
}

const reopen = `mutation ($ids: [ID!]!) { reopenComparisons(ids: $ids) { changedCount } }`;
const hostileName = 'Kim <script>document.title="hostile"</script>';

async function share(page: Page, permission: string): Promise<string> {
  await page.goto(`/runs/${run}`);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByLabel('Anyone with the link').selectOption({ label: permission });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create link' }).click();
  return page.getByLabel('Public link').inputValue();
}

/** A page of somebody without an account; nothing may go wrong in it. */
async function strangerOf(browser: Browser): Promise<{ stranger: Page; wrong: string[] }> {
  const stranger = await (await browser.newContext()).newPage();
  const wrong: string[] = [];
  stranger.on('pageerror', (error) => wrong.push(error.message));
  stranger.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  return { stranger, wrong };
}

test('a guest reviews a run by a link that lets them, and nothing else', async ({ page, browser }) => {
  await signIn(page);
  const before = await ask<Counts>(page, counts, { id: run });
  await ask(page, reopen, { ids: before.batch.comparisons.nodes.map(({ id }) => id) });
  const link = await share(page, 'can comment and approve');
  const { stranger, wrong } = await strangerOf(browser);
  await stranger.goto(link);

  // Takes a report away.
  const report = await stranger.request.get(
    new URL((await stranger.getByRole('link', { name: 'Report (PDF)' }).getAttribute('href')) ?? '', link).href,
  );
  expect([report.status(), report.headers()['content-type']]).toEqual([200, 'application/pdf']);
  expect((await report.body()).subarray(0, 5).toString()).toBe('%PDF-');

  const own = `${new URL(link).origin}/reports/${run}.pdf`;
  expect((await page.request.get(own)).headers()['content-type']).toBe('application/pdf');
  expect((await stranger.request.get(own)).status()).toBe(404);

  // Approves a change everywhere, under a name given once; pages that show more stay open.
  const hours = stranger.getByRole('listitem').filter({ hasText: 'ten to six' }).first();
  await hours.getByRole('button', { name: 'Approve everywhere' }).click();
  await hours.getByRole('textbox', { name: 'Your name' }).fill(hostileName);
  await expectAccessible(stranger);
  await hours.getByRole('button', { name: 'Continue' }).click();
  await expect(hours.getByRole('status')).toHaveText('Approved: 6 pages. 2 pages have other changes and remain open.');
  expect((await ask<Counts>(page, counts, { id: run })).batch.comparisonsCount).toMatchObject({ new: 2, ok: 6 });
  await expect(stranger.locator('[data-comparison] .status').filter({ hasText: 'OK' })).toHaveCount(6);
  await hours.getByRole('button', { name: 'Undo' }).click();
  await expect(hours.getByRole('button', { name: 'Approve everywhere' })).toBeVisible();
  expect((await ask<Counts>(page, counts, { id: run })).batch.comparisonsCount).toMatchObject({ new: 8, ok: 0 });

  // Marks a page to be fixed, and says why.
  await stranger.locator('[data-comparison] a').first().click();
  await stranger.getByRole('button', { name: 'To be fixed' }).click();
  await expect(stranger.locator('#status')).toHaveText('To be fixed');
  await stranger.getByRole('button', { name: /^Comments/ }).click();
  await stranger.getByLabel('Your comment').fill('Wrong <img src=x onerror="document.title=\'hostile\'"> hours');
  await stranger.getByRole('button', { name: 'Comment', exact: true }).click();
  const talk = stranger.getByRole('complementary', { name: 'Comments' });
  await expect(talk).toContainText('Wrong <img src=x');
  await expect(talk).toContainText('(guest, name not verified)');
  await expectAccessible(stranger);
  await stranger.getByRole('button', { name: 'Undo' }).click();
  await expect(stranger.locator('#status')).toHaveText('To review');

  // Whoever looks after the site sees who it was, and that nobody verified the name.
  await page.goto(`/comparisons/${stranger.url().split('/').pop()}`);
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByText('Wrong <img src=x')).toBeVisible();
  await expect(page.getByText(`${hostileName} (guest, name not verified)`).first()).toBeVisible();

  // A page of another server, and one without the header, may not ask.
  const action = `${stranger.url()}/verdict`;
  const data = { name: 'Kim', status: 'ok' };
  const origin = new URL(link).origin;
  for (const headers of [
    { 'X-Afterimage-Client': 'guest', Origin: 'http://elsewhere.test' },
    { 'X-Afterimage-Client': 'guest' },
    { Origin: origin },
  ]) {
    expect((await stranger.request.post(action, { headers, data })).status()).toBe(403);
  }
  const byPage = { 'X-Afterimage-Client': 'guest', Origin: origin };
  expect((await stranger.request.post(action, { headers: byPage, data })).status()).toBe(200);

  // Once the link is taken back, what is on the page does not work any more, and says so.
  await page.goto(`/runs/${run}`);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(page.getByRole('button', { name: 'Create link' })).toBeVisible();
  expect(wrong).toEqual([]);
  await stranger.getByRole('button', { name: 'Approve' }).click();
  await expect(stranger.getByRole('alert')).toContainText('ask for a new one');
  expect(await stranger.title()).not.toBe('hostile');

  // A link that only shows the run has no buttons, and refuses what they would send like one that does not exist.
  const shows = await share(page, 'can view');
  await stranger.goto(shows);
  await expect(stranger.getByRole('heading', { name: 'What changed' })).toBeVisible();
  await expect(stranger.getByRole('button')).toHaveCount(0);
  const refused = await stranger.request.post(`${shows}/accept`, { headers: byPage, data: { name: 'Kim', fingerprint: 'f00d' } });
  const unknown = await stranger.request.post(`${origin}/b/unknown/accept`, {
    headers: byPage,
    data: { name: 'Kim', fingerprint: 'f00d' },
  });
  expect([refused.status(), await refused.text()]).toEqual([unknown.status(), await unknown.text()]);
  await stranger.context().close();
});
