import type { Page } from '@playwright/test';

import { ofLookAndSize, seriousFindings } from '../accessible';
import { expect, long, signIn, test } from '../person';
import { prepare, trace } from './hostile';
import { routes, screensOf } from './screens';

const desk = { width: 1280, height: 860 };
const phone = { width: 390, height: 844 };

/** Waits until a screen is there, and fails if it is a message about what did not work. */
async function expectShown(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByRole('status', { name: /loading/i })).toHaveCount(0);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: /There is nothing at this address|Something went wrong/ })).toHaveCount(0);
}

/** What sticks out of the page to the side, if that makes the document scroll sideways. */
function stickingOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) {
      return [];
    }
    const out = [...document.body.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > width + 1);
    return [
      `${document.documentElement.scrollWidth} px`,
      ...out.slice(0, 5).map((element) => `${element.tagName}.${String(element.className)}`),
    ];
  });
}

/** Goes to a screen of another route as links in the dashboard do, which loads no document. Long runs go there as somebody with a link. */
async function follow(page: Page, at: string): Promise<void> {
  await page.evaluate((path) => {
    const headings = document.querySelectorAll('h1, h2, h3');
    headings[headings.length - 1]?.setAttribute('data-left', ''); // the first one may be that of several screens
    history.pushState(null, '', path);
  }, at);
  await expect(page.locator('[data-left]')).toHaveCount(0);
}

/**
 * Looks at what is shown on a desk in the light, and on a phone in the dark: at a whole page, or at what a selector finds on one that
 * was looked at before. What it finds fails the test at its end. Only long runs look at dialogs in the dark too: theirs are the colours of
 * the pages they open from.
 */
async function expectGood(page: Page, what: string, within?: string): Promise<void> {
  for (const [viewport, colorScheme, rules] of [
    [desk, 'light', undefined],
    [phone, 'dark', ofLookAndSize],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    expect.soft(await stickingOut(page), `${what}, ${viewport.width} px`).toEqual([]);
    if (viewport === phone && within !== undefined && !long) {
      continue;
    }
    // Colours may be on their way from one scheme to the other.
    const eventually = expect.configure({ soft: true });
    await eventually
      .poll(() => seriousFindings(page, { rules, within }), { message: `${what}, ${colorScheme}`, timeout: 300_000 })
      .toEqual([]);
  }
  await page.setViewportSize(desk);
  await page.emulateMedia({ colorScheme: 'light' });
}

test('hostile names run nowhere, and every screen and dialog is accessible and fits, on a desk and a phone, light and dark', async ({
  page,
  browser,
}) => {
  test.setTimeout(7_200_000); // A hundred looks of axe take a minute, on a machine that is busy with other tests a quarter of an hour.
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes(trace) && asked.push(request.url()));
  await signIn(page);
  const screens = screensOf(await prepare(page, browser));
  expect(new Set(screens.map(({ route }) => route))).toEqual(new Set(routes()));
  let before = '/';
  for (const { route, at, dialogs = {} } of screens) {
    await test.step(at, async () => {
      await (long || route === before || before === '/settings' ? page.goto(at) : follow(page, at));
      before = route;
      await expectShown(page);
      await expectGood(page, at);
    });
    for (const [name, open] of Object.entries(dialogs)) {
      await test.step(`${at}: ${name}`, async () => {
        await open(page);
        await expect(page.getByRole('dialog')).toBeVisible();
        await expectGood(page, `${at}: ${name}`, '[role="dialog"], dialog[open]');
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
      });
    }
  }
  expect(asked).toEqual([]);
  expect(await page.evaluate(() => 'hostileRan' in window)).toBe(false);
});
