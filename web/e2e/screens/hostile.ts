import { randomUUID } from 'node:crypto';

import type { Browser, Page } from '@playwright/test';

import { ask, expect, given } from '../person';
import { addAuthenticator, invitationTo } from '../joining';

/** What a page asks for once one of the strings has become code. */
export const trace = '/hostile-ran';

const run = `window.hostileRan=1;fetch('${trace}')`;

/** Names that try to become code, that are written from right to left, or that no line is long enough for. */
export const strings = {
  markup: `<img src=x onerror="${run}"><script>${run}</script>`,
  link: `javascript:${run}`,
  template: '{{constructor.constructor("' + run + '")()}} ${' + run + '} {count, plural, other {<b>#</b>}} %s <%= 7*7 %>',
  turned: 'متجر المصابيح 🦊👩‍👩‍👧‍👦 ليلة سعيدة',
  long: 'W'.repeat(255),
};

/** What turns the direction of text. No name may contain it, but titles and comments may. */
const turn = '\u202e\u200f';

/** What of the strings the server takes as tags: at most 50 characters. */
export const tags = { markup: '<script>window.hostileRan=1</script>', turned: 'متجر المصابيح 🦊👩‍👩‍👧‍👦', long: 'W'.repeat(50) };

/** What the screens are about that need an id. */
export interface Prepared {
  website: string;
  flow: string;
  /** A run of the flow in which a step failed. */
  flowRun: string;
  group: string;
  batch: string;
  comparison: string;
  /** A changed region of the comparison. */
  region: string;
  webhook: string;
}

const names = Object.values(strings);

/** Gives everything in the account that has a name each of the strings, as far as the server takes them. */
export async function prepare(page: Page, browser: Browser): Promise<Prepared> {
  const groups = await makeGroups(page);
  const website = await makeWebsite(page, groups);
  const [group = ''] = groups;
  await makeTags(page, group);
  const flow = await makeFlow(page, website);
  const { batch, comparison, region } = await makeRun(page, groups.slice(0, 2));
  const flowRun = await runOf(page, flow);
  await makeTokens(page);
  await makeSubaccounts(page);
  await makePeople(page, browser);
  const webhook = await makeWebhooks(page, group);
  await nameAccount(page);
  return { website, flow, flowRun, group, batch, comparison, region, webhook };
}

const pathOf = (name: string) => `http://${given('SITE')}/two?${encodeURIComponent(name)}`;

async function makeGroups(page: Page): Promise<string[]> {
  const create = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }';
  const add =
    'mutation ($id: ID!, $addresses: [String!]!) { addAddressesToGroup(groupId: $id, addresses: $addresses) { count refused { message } } }';
  const ids: string[] = [];
  for (const name of [...names, `${strings.turned} 2`]) {
    const { createGroup } = await ask<{ createGroup: { group: { id: string } } }>(page, create, { input: { name, alertEmails: [] } });
    ids.push(createGroup.group.id);
  }
  await ask(page, add, { id: ids[0], addresses: [`http://${given('SITE')}/priced`] });
  await ask(page, add, { id: ids[1], addresses: names.map(pathOf) });
  return ids;
}

async function makeTags(page: Page, group: string): Promise<void> {
  const edit = 'mutation ($id: ID!, $tags: [String!]!) { editUrlsOfGroup(groupId: $id, edit: { addTags: $tags }) { matchedCount } }';
  await ask(page, edit, { id: group, tags: Object.values(tags) });
}

/** A website with a path of markup, which synchronises pages whose titles, types and categories are the strings. */
async function makeWebsite(page: Page, groups: string[]): Promise<string> {
  const create = 'mutation ($input: CreateWebsiteInput!) { createWebsite(input: $input) { website { id domain } } }';
  const input = {
    domain: `${given('SITE')}/${strings.markup.slice(0, 120)}`,
    manualDetectionGroupId: groups[0],
    autoDetectionGroupId: groups[5],
  };
  const { createWebsite } = await ask<{ createWebsite: { website: { id: string; domain: string } } }>(page, create, { input });
  const { id, domain } = createWebsite.website;
  const collection = randomUUID();
  const urls = Object.fromEntries(
    names.map((name, index) => [
      `${name.slice(0, 100)}%%${name.slice(0, 100)}`,
      [{ url: `http://${domain}/${index}`, html_title: turn + name }],
    ]),
  );
  await ask(page, 'mutation ($input: SyncUrlsInput!) { syncUrls(input: $input) { urlImport { id } } }', {
    input: { domain, collectionUuid: collection, urls },
  });
  await ask(page, 'mutation ($input: StartSyncInput!) { startSync(input: $input) { urlImport { id } } }', {
    input: { domain, collectionUuid: collection },
  });
  const state = 'query ($id: ID!) { urlImport(id: $id) { state } }';
  await expect(async () => {
    expect((await ask<{ urlImport: { state: string } }>(page, state, { id: collection })).urlImport.state).toBe('DONE');
  }).toPass();
  return id;
}

/** A flow with a step that cannot be done, whose names are the strings as far as they fit. */
async function makeFlow(page: Page, websiteId: string): Promise<string> {
  const definition = JSON.stringify({
    name: tags.markup,
    start: `http://${given('SITE')}/priced`,
    devices: ['mobile'],
    secrets: { password: given('SITE') },
    steps: [
      { checkpoint: tags.markup },
      { assert: 'address', contains: 'priced', label: tags.long },
      { click: [{ role: 'button', name: strings.markup }, { text: strings.long }], label: tags.turned, deadline: '10s' },
      { fill: { css: '#password' }, secret: 'password' },
      { checkpoint: tags.turned },
    ],
  });
  const create = 'mutation ($input: CreateFlowInput!) { createFlow(input: $input) { flow { id } } }';
  const secrets = [{ name: 'password', value: strings.markup }];
  const { createFlow } = await ask<{ createFlow: { flow: { id: string } } }>(page, create, { input: { websiteId, definition, secrets } });
  return createFlow.flow.id;
}

/** The last run of a flow, in which a step failed. */
async function runOf(page: Page, id: string): Promise<string> {
  const { flow } = await ask<{ flow: { lastRun: { id: string; steps: { status: string }[] } } }>(
    page,
    'query ($id: ID!) { flow(id: $id) { lastRun { id steps { status } } } }',
    { id },
  );
  expect(flow.lastRun.steps.map(({ status }) => status)).toEqual(['PASSED', 'PASSED', 'FAILED', 'SKIPPED', 'SKIPPED']);
  return flow.lastRun.id;
}

interface Comparisons {
  batch: { finishedAt: string | null; comparisons: { nodes: { id: string; htmlTitle: string; changedRegions: { id: number }[] }[] } };
}

/** A run that found something, with a comment of each string, a rule, and a public link. */
async function makeRun(page: Page, groups: string[]): Promise<{ batch: string; comparison: string; region: string }> {
  await page.request.post(given('CONTROL'), { params: { release: 'first' } });
  await take(page, groups, 'PRE');
  await page.request.post(given('CONTROL'), { params: { release: 'next' } });
  const batch = await take(page, groups, 'POST');
  await ask(page, 'mutation ($id: ID!, $name: String!) { renameBatch(id: $id, name: $name) { batch { id } } }', {
    id: batch,
    name: strings.markup,
  });
  const found = await ask<Comparisons>(
    page,
    'query ($id: ID!) { batch(id: $id) { finishedAt comparisons(first: 20) { nodes { id htmlTitle changedRegions { id } } } } }',
    { id: batch },
  );
  const { id: comparison, changedRegions } = found.batch.comparisons.nodes.find((each) => each.htmlTitle.includes('priced')) ?? {
    id: '',
    changedRegions: [],
  };
  for (const text of [...names, turn + strings.turned]) {
    await ask(page, 'mutation ($id: ID!, $text: String!) { addComment(comparisonId: $id, text: $text) { comment { id } } }', {
      id: comparison,
      text,
    });
  }
  const regionId = changedRegions[0]?.id ?? 0;
  await ask(page, 'mutation ($input: CreateAiFeedbackRuleInput!) { createAiFeedbackRule(input: $input) { aiFeedbackRule { id } } }', {
    input: { comparisonId: comparison, regionId, scope: 'GROUP_OR_WEBSITE' },
  });
  await ask(page, 'mutation ($id: ID!) { shareBatch(id: $id) { batch { id } } }', { id: batch });
  return { batch, comparison, region: String(regionId) };
}

async function take(page: Page, groupIds: string[], scType: 'PRE' | 'POST'): Promise<string> {
  const start = 'mutation ($input: TakeScreenshotsInput!) { takeScreenshots(input: $input) { batch { id } } }';
  const { takeScreenshots } = await ask<{ takeScreenshots: { batch: { id: string } } }>(page, start, {
    input: { groupIds, scType, devices: ['MOBILE'] },
  });
  const { id } = takeScreenshots.batch;
  await expect(async () => {
    const { batch } = await ask<Comparisons>(page, 'query ($id: ID!) { batch(id: $id) { finishedAt } }', { id });
    expect(batch.finishedAt).not.toBeNull();
  }).toPass();
  return id;
}

async function makeTokens(page: Page): Promise<void> {
  for (const name of names) {
    await ask(page, 'mutation ($input: CreateTokenInput!) { createToken(input: $input) { token { id } } }', {
      input: { name, scopes: ['READ', 'RUN', 'REVIEW'] },
    });
  }
}

async function makeSubaccounts(page: Page): Promise<void> {
  for (const [index, name] of names.entries()) {
    const input = { nameFirst: name, nameLast: name, email: `${'s'.repeat(60)}${index}@example.com`, limitChecks: 1 };
    await ask(page, 'mutation ($input: CreateSubaccountInput!) { createSubaccount(input: $input) { subaccount { id } } }', { input });
  }
}

/** Users whose names are markup, turned and long, and an invitation that nobody has followed, to a long address. */
async function makePeople(page: Page, browser: Browser): Promise<void> {
  const invite = 'mutation ($email: String!) { inviteUser(input: { email: $email, role: EDITOR }) { invitation { id } } }';
  const addresses = ['markup', 'turned', 'long'].map((name) => `${name}@example.com`);
  for (const email of [...addresses, `${'q'.repeat(60)}@example.com`]) {
    await ask(page, invite, { email });
  }
  for (const [index, name] of [strings.markup, strings.turned, strings.long].entries()) {
    const context = await browser.newContext();
    const invited = await context.newPage();
    await addAuthenticator(invited);
    await expect(async () => {
      await invited.goto(await invitationTo(addresses[index] ?? ''));
    }).toPass();
    await invited.locator('#name').fill(name);
    await invited.locator('#passkey').click();
    await invited.waitForURL('/');
    await context.close();
  }
}

async function makeWebhooks(page: Page, group: string): Promise<string> {
  const create = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }';
  const ids: string[] = [];
  for (const name of names) {
    const url = `${given('RECEIVER')}/?refuse&${encodeURIComponent(name)}`;
    const input = { url, event: 'BATCH_FINISHED', events: ['BATCH_FINISHED', 'COMPARISON_REVIEWED', 'CHECKS_LOW'], groupIds: [group] };
    const { createWebhook } = await ask<{ createWebhook: { webhook: { id: string } } }>(page, create, { input });
    ids.push(createWebhook.webhook.id);
  }
  const [id = ''] = ids;
  await ask(page, 'mutation ($id: ID!) { pingWebhook(id: $id) { delivery { id } } }', { id });
  const deliveries = 'query ($id: ID!) { webhookDeliveries(first: 1, filter: { webhookIds: [$id] }) { nodes { attemptCount } } }';
  await expect(async () => {
    const found = await ask<{ webhookDeliveries: { nodes: { attemptCount: number }[] } }>(page, deliveries, { id });
    expect(found.webhookDeliveries.nodes[0]?.attemptCount).toBe(1);
  }).toPass();
  return id;
}

async function nameAccount(page: Page): Promise<void> {
  const { markup: nameFirst, long: nameLast, turned: company } = strings;
  await ask(page, 'mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) { account { id } } }', {
    input: { nameFirst, nameLast, company },
  });
}
