import { type Page, expect, test as base } from '@playwright/test';

/** The pages of the states, in internal/review/states_test.go. */
export const states = [
  'shifted',
  'mobile',
  'rtl',
  'inserted',
  'deleted',
  'moved',
  'widths',
  'blank',
  'broken',
  'many',
  'long',
  'tall',
  'same',
  'first',
] as const;

/** A page that fails the test when anything goes wrong in it: an error, a refused script, a request to elsewhere. */
export const test = base.extend<{ expectErrors: RegExp | null }>({
  expectErrors: [null, { option: true }],
  page: async ({ page, baseURL, expectErrors }, use) => {
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !expectErrors?.test(message.text() + message.location().url)) {
        wrong.push(`${message.text()} ${message.location().url}`);
      }
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(baseURL ?? '')) {
        wrong.push(`request to ${request.url()}`);
      }
    });
    await use(page);
    expect(wrong).toEqual([]);
  },
});

export { expect };

/** Opens a state and waits until the parts of the pictures in view are there. */
export async function open(page: Page, state: string): Promise<void> {
  await page.goto(`/c/${state}`);
  await expect(page.getByRole('region', { name: 'Comparison' })).toBeVisible();
  await settled(page);
}

/** Waits until every part of the pictures that is in the document is loaded or has failed. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
}

/** The element that scrolls the pictures. */
export const stage = (page: Page) => page.locator('[data-mode][tabindex="0"]');

export const scrollTop = (page: Page) => stage(page).evaluate((element) => element.scrollTop);

/** The list of changes. */
export const items = (page: Page) => page.getByRole('complementary').getByRole('listitem');
