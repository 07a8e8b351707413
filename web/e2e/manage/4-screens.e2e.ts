import type { Page } from '@playwright/test';

import { seriousFindings } from '../accessible';
import { expect, signIn, test } from './account';
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

/** The rules of axe whose findings can differ between a desk and a phone, or between light and dark. */
const ofLookAndSize = ['aria-hidden-focus', 'color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/** Long runs look at dialogs on a phone in the dark too. Theirs are the colours of the pages they open from. */
const long = process.env['AFTERIMAGE_SOAK'] !== undefined;

/**
 * Looks at what is shown on a desk in the light, and on a phone in the dark: at a whole page, or at what a selector finds on one that
 * was looked at before. What it finds fails the test at its end.
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
      .poll(() => seriousFindings(page, { rules, within }), { message: `${what}, ${colorScheme}`, timeout: 20_000 })
      .toEqual([]);
  }
  await page.setViewportSize(desk);
  await page.emulateMedia({ colorScheme: 'light' });
}

test('hostile names run nowhere, and every screen and dialog is accessible and fits, on a desk and a phone, light and dark', async ({
  page,
  browser,
}) => {
  test.setTimeout(2_400_000); // A hundred looks of axe take a minute, on a machine that is busy with other tests a quarter of an hour.
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes(trace) && asked.push(request.url()));
  await signIn(page);
  const screens = screensOf(await prepare(page, browser));
  expect(new Set(screens.map(({ route }) => route))).toEqual(new Set(routes()));
  for (const { at, dialogs = {} } of screens) {
    await test.step(at, async () => {
      await page.goto(at);
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
