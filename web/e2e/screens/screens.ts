import { readFileSync } from 'node:fs';

import { expect, type Page } from '@playwright/test';

import { strings, tags, type Prepared } from './hostile';

/** A screen, and the dialogs that open from it. */
export interface Screen {
  /** The route in web/app/router.tsx that it belongs to. */
  route: string;
  at: string;
  dialogs?: Record<string, (page: Page) => Promise<void>>;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();

async function pickElement(page: Page): Promise<void> {
  await press('Pick in a screenshot')(page);
  const use = page.getByRole('button', { name: 'Use element' });
  await expect(async () => {
    await page.getByRole('dialog').getByRole('img').click();
    await expect(use).toBeEnabled({ timeout: 1000 }); // the elements come after the picture
  }).toPass();
}

async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Chooses all URLs of a group unless they are chosen, and begins to edit them. */
async function editAll(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('checkbox', { name: /^Select (all|the URL)/ }).check();
  await choose(page, menu, item);
}

/** Every screen of the dashboard, of what was prepared. */
export function screensOf(prepared: Prepared): Screen[] {
  const group = `/groups/${prepared.group}`;
  const run = `/runs/${prepared.batch}`;
  return [
    { route: '/', at: '/', dialogs: { keys: (page) => page.keyboard.press('?') } },
    { route: '/sites', at: '/sites', dialogs: { 'Add a site': press('Add') } },
    {
      route: '/sites/$websiteId',
      at: `/sites/${prepared.website}`,
      dialogs: { 'Edit website': press('Edit'), 'Delete the website': press('Delete website') },
    },
    { route: '/sites/$websiteId/flows/new', at: `/sites/${prepared.website}/flows/new` },
    { route: '/flows/$flowId', at: `/flows/${prepared.flow}`, dialogs: { 'Delete the flow': press('Delete') } },
    {
      route: '/flows/$flowId/edit',
      at: `/flows/${prepared.flow}/edit`,
      dialogs: { 'Pick an element': pickElement },
    },
    { route: '/flow-runs/$runId', at: `/flow-runs/${prepared.flowRun}` },
    {
      route: '/groups/$groupId',
      at: group,
      dialogs: {
        'Paste addresses': press('Paste addresses'),
        'Pages from a sitemap': press('Import from sitemap'),
        'URL settings': press(/^Settings for /),
        'Add a tag': (page) => editAll(page, 'Tags', 'Add tag…'),
        'Delete URLs': (page) => editAll(page, 'Remove', 'Delete permanently…'),
        'Delete the group': (page) => choose(page, 'More actions', 'Delete group'),
      },
    },
    { route: '/groups/$groupId', at: `${group}?q=${encodeURIComponent(strings.markup)}` },
    { route: '/groups/$groupId', at: `${group}?tag=${encodeURIComponent(tags.markup)}&sort=TAG` },
    { route: '/groups/$groupId', at: `${group}?tab=schedule` },
    { route: '/groups/$groupId', at: `${group}?tab=settings` },
    { route: '/runs', at: '/runs' },
    {
      route: '/runs/$batchId',
      at: run,
      dialogs: { Share: press('Share'), 'Rename the run': (page) => choose(page, 'More actions', 'Rename') },
    },
    { route: '/runs/$batchId', at: `${run}?view=pages` },
    { route: '/runs/$batchId', at: `${run}?view=progress` },
    {
      route: '/comparisons/$comparisonId',
      at: `/comparisons/${prepared.comparison}?change=${prepared.region}`,
      dialogs: {
        'Parts that vary on their own': async (page) => {
          await page.keyboard.press('i');
          await press('Parts that vary on their own')(page);
        },
      },
    },
    { route: '/rules', at: '/rules', dialogs: { 'Delete a rule': press('Delete') } },
    { route: '/start', at: '/start' },
    { route: '/settings', at: '/settings' },
    { route: '/settings/account', at: '/settings/account' },
    { route: '/settings/branding', at: '/settings/branding' },
    {
      route: '/settings/people',
      at: '/settings/people',
      dialogs: { Invite: press('Invite'), 'Remove a user': press('Remove') },
    },
    {
      route: '/settings/tokens',
      at: '/settings/tokens',
      dialogs: { 'Create a token': press('Create token'), 'Edit a token': press('Edit'), 'Revoke a token': press('Revoke') },
    },
    { route: '/settings/tags', at: '/settings/tags', dialogs: { 'Rename a tag': press('Rename'), 'Delete a tag': press('Delete') } },
    {
      route: '/settings/webhooks',
      at: '/settings/webhooks',
      dialogs: { 'Add a webhook': press('Add webhook'), 'Replace secret': press('Replace secret') },
    },
    {
      route: '/settings/webhooks/$webhookId',
      at: `/settings/webhooks/${prepared.webhook}`,
      dialogs: { 'Edit webhook': press('Edit'), 'Details of a delivery': press('Details'), 'Delete the webhook': press('Delete') },
    },
    {
      route: '/settings/subaccounts',
      at: '/settings/subaccounts',
      dialogs: { 'Add a subaccount': press('Add subaccount'), 'Edit a subaccount': press('Edit'), 'Delete a subaccount': press('Delete') },
    },
    { route: '/settings/usage', at: '/settings/usage' },
    { route: '/settings/mails', at: '/settings/mails', dialogs: { 'View an email': press('View') } },
    { route: '/settings/audit', at: '/settings/audit' },
  ];
}

/** The paths in web/app/router.tsx. Those of the parts of the settings are relative to it there. */
export function routes(): string[] {
  const router = readFileSync(new URL('../../app/router.tsx', import.meta.url), 'utf8');
  const paths = [...router.matchAll(/path: '([^']*)'/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(15);
  return [...new Set(paths.map((path) => (path.startsWith('/') ? path : `/settings/${path}`)))];
}
