import type { Page } from '@playwright/test';

import { counted, expect, expectAccessible, hostile, many, signInAt, test } from './account';
import { addAuthenticator, invitationTo } from '../joining';

/** The code of what the server answers to a mutation. */
async function refusal(page: Page, query: string): Promise<unknown> {
  const response = await page.request.post('/graphql', {
    headers: { 'X-Afterimage-Client': 'test', Origin: new URL(page.url()).origin },
    data: { query },
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return errors?.[0]?.extensions.code;
}

test('an owner invites; who joins as a viewer sees no button that the server would refuse', async ({ page, browser }) => {
  await signInAt(page, '/settings/people');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  await dialog.getByLabel('Email address').fill('grace@example.com');
  await dialog.getByLabel('Role').selectOption('Viewer');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('row', { name: /grace@example.com/ })).toContainText('Pending');

  // The account keeps the mail without its link, which is for the invited alone.
  const view = page.getByRole('row', { name: /grace@example.com/ }).getByRole('button', { name: 'View' });
  await expect(async () => {
    await page.goto('/settings/mails'); // the mail may not have been sent yet
    await view.click({ timeout: 5_000 });
  }).toPass();
  await expect(page.getByRole('dialog', { name: /invited/ })).not.toContainText(/join#[A-Za-z0-9]/);
  const link = await invitationTo('grace@example.com');

  const context = await browser.newContext();
  const guest = await context.newPage();
  const ran: string[] = [];
  guest.on('pageerror', (error) => ran.push(error.message));
  await addAuthenticator(guest);
  await guest.goto(link);
  await guest.locator('#name').fill(`Grace ${hostile}`);
  await guest.locator('#passkey').click();
  await guest.waitForURL('/');

  // A role is what buttons go by.
  const nothing =
    /^(Add|Guided setup|Paste addresses|Import from sitemap|Take (before|after) screenshots|Invite|Create token|Add webhook|Replace secret|Send test request|Edit|Remove|Sign out everywhere|Save .*|Approve.*|Create a rule|Share)$/;
  await guest.goto('/sites');
  await guest.getByRole('link', { name: 'Many' }).click();
  await expect(guest.getByRole('heading', { name: `${counted(many)} URLs` })).toBeVisible();
  await expect(guest.getByRole('button', { name: nothing })).toHaveCount(0);
  const screens = [
    '?tab=schedule',
    '?tab=settings',
    '/settings/account',
    '/settings/people',
    '/settings/webhooks',
    '/settings/subaccounts',
    '/start',
  ];
  const group = new URL(guest.url()).pathname;
  for (const screen of screens) {
    await guest.goto(screen.startsWith('?') ? group + screen : screen);
    await expect(guest.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(guest.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await expect(guest.getByRole('alert'), screen).toHaveCount(0);
    await expect(guest.getByRole('button', { name: nothing })).toHaveCount(0);
  }
  await expect(guest.getByRole('link', { name: 'API tokens' })).toHaveCount(0);
  for (const mutation of [
    'createGroup(input: { name: "x" }) { group { id } }',
    'inviteUser(input: { email: "a@example.com", role: VIEWER }) { invitation { id } }',
    'rotateWebhookSecret { previousSecretUntil }',
  ]) {
    expect(await refusal(guest, `mutation { ${mutation} }`)).toBe('FORBIDDEN');
  }

  // The owner gives another role, and then none.
  await page.goto('/settings/people');
  const row = page.getByRole('row', { name: /grace@example.com/ }).filter({ has: page.getByRole('combobox') });
  await expect(row).toContainText('<script>');
  await row.getByRole('combobox').selectOption('Editor');
  await expect(page.getByText('The role was changed')).toBeVisible();
  await guest.goto('/sites');
  await expect(guest.getByRole('button', { name: 'Add', exact: true })).toBeVisible();
  await row.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText(/^All sessions of Grace/)).toBeVisible();
  // For half a second the server may still answer: it does not look up a session with each question.
  await expect(async () => {
    await guest.goto('/sites');
    await expect(guest).toHaveURL(/\/signin\//, { timeout: 10_000 });
  }).toPass();
  await row.getByRole('button', { name: 'Remove' }).click();
  await page
    .getByRole('dialog', { name: /^Remove Grace/ })
    .getByRole('button', { name: 'Remove' })
    .click();
  await expect(row).toHaveCount(0);
  expect(ran).toEqual([]);
  expect(await guest.title()).not.toBe('hostile');
  await context.close();
});
