// Takes the pictures of the documentation: runs the demonstration and looks at it as a reader would. See make pictures.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { chromium, type Locator, type Page } from '@playwright/test';

process.chdir(import.meta.dirname);

const calm = ['Friends of the garden', 'Garden café', 'Garden shop', 'Herbarium', 'Research library', 'School visits', 'Volunteers'];
const desk = { width: 1280, height: 800 };

const demo = spawn('../bin/afterimage', ['demo', '--keep', '--json'], { stdio: ['ignore', 'ignore', 'pipe'] });
const ended = new Promise((resolve) => demo.once('exit', resolve));
try {
  const link = await signInLink();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '' });
  const page = await browser.newPage({ viewport: desk, reducedMotion: 'reduce', baseURL: new URL(link).origin });
  page.setDefaultTimeout(60_000);
  await page.goto(link);
  await page.waitForURL(/\/runs\//);
  await takeRun(page);
  await takeComparison(page);
  await takeHome(page);
  await browser.close();
} finally {
  demo.kill();
  await ended;
}

/** The link of the demonstration's end; fails with it. */
async function signInLink(): Promise<string> {
  for await (const line of createInterface({ input: demo.stderr })) {
    if (line.includes('#code=')) {
      return line.trim();
    }
  }
  throw new Error('The demonstration ended without a link.');
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() =>
    [...document.images].every((image) => {
      const { top, bottom } = image.getBoundingClientRect();
      return image.naturalWidth > 0 || bottom <= 0 || top >= window.innerHeight;
    }),
  );
  await page.evaluate(() => Promise.all([...document.images].filter((image) => image.naturalWidth > 0).map((image) => image.decode())));
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `../docs/images/dashboard-${name}.png`, animations: 'disabled', caret: 'hide' });
  console.log(`pictures: ${name}`);
}

async function takeRun(page: Page): Promise<void> {
  await page.getByRole('article').first().waitFor();
  await take(page, 'changes');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.reload();
  await page.getByRole('article').first().waitFor();
  await take(page, 'phone');
  await page.setViewportSize(desk);
  await page.reload();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('dialog').getByRole('textbox').first().waitFor();
  await take(page, 'share');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Pages', exact: true }).click();
  await page.locator('[data-comparison]').first().waitFor();
  await take(page, 'pages');
}

async function takeComparison(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Changes', exact: true }).click();
  const hours = page.getByRole('article').filter({ hasText: '9 to 8' });
  await hours.getByRole('link', { name: 'Open a page' }).click();
  await page.getByText('Desktop', { exact: true }).click(); // the run may have been opened on either device
  await page.getByText('the page is 31 px longer').waitFor();
  await page.getByText(/“10 to 6” →/).click();
  await take(page, 'comparison');
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await take(page, 'dark');
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await lookBy(page, 'Slider').click();
  await take(page, 'slider');
  await lookBy(page, 'Difference').click();
  await take(page, 'difference');
  await lookBy(page, 'Side by side').click();
  await page.getByRole('button', { name: 'Create a rule' }).click();
  await page
    .getByRole('dialog')
    .getByText(/of \d+ alarms/)
    .waitFor();
  await page.getByLabel('Where').selectOption({ label: 'On all pages of the website or group' });
  await page.getByText(/The rule would have silenced/).waitFor();
  await take(page, 'teach');
  await page.keyboard.press('Escape');
  await page.keyboard.press('i');
  await page.getByLabel('Comment', { exact: true }).waitFor();
  await take(page, 'facts');
}

function lookBy(page: Page, mode: string): Locator {
  return page.getByRole('button', { name: mode, exact: true }).or(page.getByRole('radio', { name: mode, exact: true }));
}

/** Home with further sites, which have one page each and nothing open. */
async function takeHome(page: Page): Promise<void> {
  const { comparisons } = await ask<{ comparisons: { nodes: { address: string }[] } }>(
    page,
    'query { comparisons(first: 1) { nodes { address } } }',
  );
  const site = `http://${comparisons.nodes[0]?.address.split('/')[0]}`;
  for (const name of calm) {
    const { createGroup } = await ask<{ createGroup: { group: { id: string } } }>(
      page,
      'mutation ($name: String!) { createGroup(input: { name: $name }) { group { id } } }',
      { name },
    );
    const variables = { id: createGroup.group.id, addresses: [`${site}/plants/`] };
    await ask(
      page,
      'mutation ($id: ID!, $addresses: [String!]!) { addAddressesToGroup(groupId: $id, addresses: $addresses) { count } }',
      variables,
    );
    for (const type of ['PRE', 'POST']) {
      const { takeScreenshots } = await ask<{ takeScreenshots: { batch: { id: string } } }>(
        page,
        'mutation ($id: ID!, $type: QueueType!) { takeScreenshots(input: { groupIds: [$id], scType: $type }) { batch { id } } }',
        { id: variables.id, type },
      );
      await finished(page, takeScreenshots.batch.id);
    }
  }
  await page.goto('/');
  await page.getByText(calm[0] ?? '').waitFor();
  await take(page, 'home');
}

async function finished(page: Page, id: string): Promise<void> {
  for (;;) {
    const { batch } = await ask<{ batch: { finishedAt: string | null } }>(page, 'query ($id: ID!) { batch(id: $id) { finishedAt } }', {
      id,
    });
    if (batch.finishedAt !== null) {
      return;
    }
    await page.waitForTimeout(500);
  }
}

async function ask<T>(page: Page, query: string, variables: Record<string, unknown> = {}): Promise<T> {
  const response = await page.request.post('/graphql', {
    headers: { 'X-Afterimage-Client': 'pictures', Origin: new URL(page.url()).origin },
    data: { query, variables },
  });
  const { data, errors = [] } = (await response.json()) as { data: T; errors?: { message: string }[] };
  if (errors.length > 0) {
    throw new Error(errors.map(({ message }) => message).join('; '));
  }
  return data;
}
