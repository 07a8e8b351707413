// What the dashboard costs a browser. Sizes and numbers of requests are the same on every machine, so they are limits; times are
// printed, because these machines are shared.
import type { Page, Request } from '@playwright/test';

import { ask, expect, run, signIn, test } from '../dashboard/person';

const rounds = Number(process.env['ROUNDS'] ?? '1');

interface Listed {
  id: string;
  address: string;
  height: number;
}

const isQuery = (request: Request) => new URL(request.url()).pathname === '/graphql' && request.method() === 'POST';

/** Notes the GraphQL operations that the page asks for: all, or those about something. The returned function lists those until then. */
function noteQueries(page: Page, about: (variables: Record<string, unknown>) => boolean = () => true): () => string[] {
  const names: string[] = [];
  page.on('request', (request) => {
    if (isQuery(request)) {
      const { operationName, variables } = request.postDataJSON() as { operationName: string; variables?: Record<string, unknown> };
      if (about(variables ?? {})) {
        names.push(operationName);
      }
    }
  });
  return () => [...names];
}

declare global {
  interface Window {
    nextFrame: () => Promise<number>;
  }
}

// Chromium without a window has been seen not to draw any more, without an error: such a frame counts as long as it was waited for.
test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    window.nextFrame = () =>
      Promise.race([
        new Promise<number>(requestAnimationFrame),
        new Promise<number>((resolve) => setTimeout(() => resolve(performance.now()), 2_000)),
      ]);
  }),
);

/** Waits until all pictures that can be seen are there and decoded. */
async function picturesShown(page: Page, least: number): Promise<void> {
  await page.waitForFunction((wanted) => {
    const seen = [...document.images].filter((image) => {
      const box = image.getBoundingClientRect();
      return box.bottom > 0 && box.top < window.innerHeight && box.width > 40;
    });
    return seen.length >= wanted && seen.every((image) => image.complete && image.naturalWidth > 0);
  }, least);
}

/** The milliseconds that something takes in the page, in each round. */
async function time(
  count: number,
  once: () => Promise<void>,
  prepare: () => Promise<unknown> = () => Promise.resolve(),
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    await prepare();
    const begun = performance.now();
    await once();
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b);
}

function report(what: string, times: readonly number[]): void {
  const median = times[Math.floor(times.length / 2)] ?? 0;
  console.log(`speed: ${what}: median ${median.toFixed(0)} ms, from ${times[0]?.toFixed(0)} to ${times.at(-1)?.toFixed(0)} ms`);
}

/** Comparisons on desktop of pages whose address has a text. */
async function comparisons(page: Page, text: string): Promise<Listed[]> {
  const { batch } = await ask<{ batch: { comparisons: { nodes: Listed[] } } }>(
    page,
    `query ($run: ID!, $text: String!) { batch(id: $run) { comparisons(first: 100, filter: { devices: [DESKTOP], text: $text }) { nodes { id address height } } } }`,
    { run, text },
  );
  return batch.comparisons.nodes;
}

test('Home', async ({ page }) => {
  const scripts: Request[] = [];
  page.on('requestfinished', (request) => {
    if (/^\/app\/.*\.js$/.test(new URL(request.url()).pathname)) {
      scripts.push(request);
    }
  });
  const queries = noteQueries(page);
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('1 site');
  await picturesShown(page, 1);
  expect(queries().toSorted()).toEqual(['Home', 'Viewer']);
  const sizes = await Promise.all(scripts.map((request) => request.sizes()));
  const script = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  console.log(`speed: script of Home: ${(script / 1000).toFixed(1)} kB compressed`);
  expect(script).toBeLessThanOrEqual(200_000);
  const times = await time(
    rounds,
    () => expect(page.getByRole('heading', { level: 1 })).toContainText('1 site'),
    () => page.goto('/', { waitUntil: 'commit' }),
  );
  report('Home, from its document to its heading', times);
  const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  console.log(`speed: Home, first paint: ${(await paint.jsonValue())?.toFixed(0)} ms after the request for its document`);
});

for (const height of (process.env['HEIGHTS'] ?? '').split(' ').map(Number)) {
  test(`a page of ${height} rows`, async ({ page }) => {
    await signIn(page);
    const [tall] = await comparisons(page, `/${height}`);
    expect(tall?.height).toBe(height);
    const times = await time(
      rounds,
      () => picturesShown(page, 2),
      () => page.goto(`/comparisons/${tall?.id}`, { waitUntil: 'commit' }),
    );
    report(`a page of ${height} rows, from its document to its pictures`, times);
    const jumps = await time(rounds, async () => {
      await page.keyboard.press('n');
      await picturesShown(page, 2);
    });
    report(`a page of ${height} rows, to the next change`, jumps);
  });
}

test('a comparison costs one request, and the next one is there at once', async ({ page }) => {
  await signIn(page);
  await picturesShown(page, 1); // of Home, whose requests are not to be counted
  const listed = await comparisons(page, '/700/');
  const queries = noteQueries(page, (variables) => variables['id'] === listed[0]?.id);
  await page.goto(`/comparisons/${listed[0]?.id}?run=${run}&device=DESKTOP`);
  await picturesShown(page, 2);
  expect(queries()).toEqual(['ComparisonScreen']); // what is loaded ahead is about other pages
  const address = page.getByRole('heading', { level: 1 });
  const times: number[] = [];
  for (let round = 0; round < Math.min(rounds, listed.length - 1); round++) {
    const before = (await address.textContent()) ?? '';
    await page.waitForTimeout(600); // somebody looks at it
    const took = await page.evaluate(async (old) => {
      const begun = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ']', bubbles: true }));
      const done = () =>
        document.querySelector('h1')?.textContent !== old &&
        [...document.images]
          .filter((image) => image.getBoundingClientRect().width > 40)
          .every((image) => image.complete && image.naturalWidth > 0);
      while (!done()) {
        await window.nextFrame();
      }
      return performance.now() - begun;
    }, before);
    times.push(took);
  }
  report(
    'the next comparison',
    times.toSorted((a, b) => a - b),
  );
});

/** How many frames are looked at while something scrolls: a few where nothing is measured, since drawing them takes long without a GPU. */
const framesOf = (measured: number): number => (rounds > 1 ? measured : 30);

const many = 1_000;
const perPage = 60; // as in the query

/** Has the server list many comparisons: those that there are, again and again. */
async function multiply(page: Page): Promise<void> {
  await page.route('**/graphql', async (route) => {
    const asked = route.request().postDataJSON() as { operationName: string; variables: { page: number } } | null;
    if (asked?.operationName !== 'RunPages') {
      await route.fallback();
      return;
    }
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { batch: { comparisons: { totalCount: number; nodes: { id: string }[] } } } };
    const list = answer.data.batch.comparisons;
    const first = (asked.variables.page - 1) * perPage;
    const copies = Array.from({ length: Math.min(perPage, many - first) }, (_, i) => ({
      ...list.nodes[i % list.nodes.length],
      id: `copy ${first + i}`,
    }));
    list.nodes = copies;
    list.totalCount = many;
    await route.fulfill({ response, json: answer });
  });
}

test(`the grid of ${many} pages`, async ({ page }) => {
  await multiply(page);
  await signIn(page);
  await picturesShown(page, 1);
  const queries = noteQueries(page);
  await page.goto(`/runs/${run}?view=pages`);
  await picturesShown(page, 4);
  // As many as are in sight, and the ones below them ahead.
  await expect.poll(() => queries().filter((name) => name !== 'Viewer')).toEqual(['RunPages', 'RunPages']);
  const frames = await page.evaluate(async (most) => {
    const times: number[] = [];
    let last = performance.now();
    const bottom = document.documentElement.scrollHeight - window.innerHeight;
    for (let top = 0; top < bottom && times.length < most; top += 60) {
      window.scrollTo(0, top);
      const now = await window.nextFrame();
      times.push(now - last);
      last = now;
    }
    return times.slice(1).toSorted((a, b) => a - b);
  }, framesOf(600));
  const at = (share: number) => (frames[Math.floor(frames.length * share)] ?? 0).toFixed(1);
  const smooth = frames.filter((each) => each < 17.5).length / frames.length;
  console.log(
    `speed: ${frames.length} frames of the grid: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(0.9999)} ms; ${(100 * smooth).toFixed(1)} % at 60 fps`,
  );
});

const urls = 10_000;

test(`a group of ${urls} URLs`, async ({ page }) => {
  await signIn(page);
  const { createGroup } = await ask<{ createGroup: { group: { id: string } } }>(
    page,
    'mutation { createGroup(input: { name: "Many" }) { group { id } } }',
  );
  const { id } = createGroup.group;
  const addresses = Array.from({ length: urls }, (_, index) => `many.example.com/${index % 7 === 0 ? 'blog' : 'shop'}/${index}`);
  await ask(page, 'mutation ($id: ID!, $addresses: [String!]!) { addAddressesToGroup(groupId: $id, addresses: $addresses) { count } }', {
    id,
    addresses,
  });
  const row = page.getByRole('row').nth(1);
  const queries = noteQueries(page);
  const open = () => page.goto(`/groups/${id}`, { waitUntil: 'commit' });
  report('10,000 URLs, from the document to the rows', await time(rounds, () => expect(row).toContainText('many.example.com'), open));
  expect(new Set(queries())).toEqual(new Set(['Viewer', 'GroupUrls']));

  const search = page.getByRole('searchbox');
  const clear = () => search.fill('').then(() => expect(page.getByRole('heading', { name: /^10,000 URLs$/ })).toBeVisible());
  report(
    '10,000 URLs, filtered after the pause of typing',
    await time(
      rounds,
      async () => {
        await search.fill('blog/');
        await expect(page.getByRole('heading', { name: '1,429 URLs found' })).toBeVisible();
      },
      clear,
    ),
  );
  await clear();
  const sort = page.getByRole('combobox', { name: 'Sort by' });
  report(
    '10,000 URLs, sorted by address',
    await time(
      rounds,
      async () => {
        await sort.selectOption({ value: 'ADDRESS' });
        await expect(row).toContainText('/blog/0');
      },
      () => sort.selectOption({ value: '' }).then(() => expect(row).not.toContainText('/blog/0')),
    ),
  );

  const all = page.getByRole('checkbox', { name: 'Select all 10,000 URLs' });
  const bar = page.getByRole('toolbar', { name: 'Selected URLs' });
  report(
    '10,000 URLs, all chosen',
    await time(
      rounds,
      async () => {
        await all.check();
        await expect(bar).toContainText('10,000 URLs selected');
      },
      () => all.uncheck(),
    ),
  );
  let on = true;
  report(
    '10,000 URLs, a device switched, from the confirmation to the answer',
    await time(
      rounds,
      async () => {
        await page.getByRole('button', { name: 'Update 10,000 URLs' }).click();
        await expect(page.getByText(on ? '20,000 screenshots per run' : '10,000 screenshots per run')).toBeVisible();
      },
      async () => {
        on = !on;
        await bar.getByRole('button', { name: 'Devices' }).click();
        await page.getByRole('menuitem', { name: on ? 'Enable mobile' : 'Disable mobile' }).click();
      },
    ),
  );

  const seen = await page.evaluate(async (most) => {
    const frames: number[] = [];
    let last = performance.now();
    const bottom = document.documentElement.scrollHeight - window.innerHeight;
    for (let top = 0; top < bottom && frames.length < most; top += 300) {
      window.scrollTo(0, top);
      const now = await window.nextFrame();
      frames.push(now - last);
      last = now;
    }
    return { frames: frames.slice(1).toSorted((a, b) => a - b), elements: document.querySelectorAll('*').length };
  }, framesOf(200));
  const at = (share: number) => (seen.frames[Math.floor(seen.frames.length * share)] ?? 0).toFixed(1);
  console.log(
    `speed: ${seen.frames.length} frames of 10,000 URLs, 300 px each: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(0.9999)} ms; ${seen.elements} elements`,
  );
  expect(seen.elements).toBeLessThan(15_000);
});
