import { findings, ofLookAndSize } from '../accessible';
import { expect, items, open, settled, states, test } from './page';

test.describe('every state', () => {
  test.use({ expectErrors: /broken_after/ });
  for (const state of states.filter((each) => each !== 'shifted')) {
    test(`${state} is accessible`, async ({ page }) => {
      await open(page, state);
      expect(await findings(page)).toEqual([]);
    });
  }
});

// Of one state, the rest of whose rules hold on a phone as on a desktop.
for (const [where, width, rules] of [
  ['a desktop', 1280, undefined],
  ['a phone', 390, ofLookAndSize],
] as const) {
  test(`every view is accessible on ${where}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await open(page, 'shifted');
    for (const mode of await page.getByRole('radio').all()) {
      await mode.click();
      expect(await findings(page, { rules })).toEqual([]);
    }
  });
}

test('dark colours have contrast too', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, 'shifted');
  expect(await findings(page)).toEqual([]);
});

test('hostile and right-to-left titles are text', async ({ page }) => {
  await open(page, 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('مرحبا بالعالم 👋🏽 <script>alert(1)</script>');
  await expect(items(page).first()).toContainText('<b>The footer</b> & everything');
  await expect(
    page
      .getByText('too large', { exact: false })
      .or(page.getByText('cut off', { exact: false }))
      .first(),
  ).toBeVisible();
});

test.describe('a picture that cannot be decoded', () => {
  test.use({ expectErrors: /broken_after/ });
  test('is said, and asked for again on request', async ({ page }) => {
    await open(page, 'broken');
    await expect(page.getByRole('alert')).toContainText('parts of the pictures could not be shown.');
    const asked = page.locator('img[src*=broken_after]'); // whose answer is awaited
    await expect(page.getByText('This part could not be shown.').first()).toBeVisible();
    await expect(asked).toHaveCount(0);
    const again = page.waitForRequest(/broken_after\S*retry=1/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await again;
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(asked).toHaveCount(0);
    // It was restored: asked for once more, it is shown.
    const shown = await page.request.get('/images/long_after_strip-0.png');
    await page.route(/broken_after/, async (route) => route.fulfill({ body: await shown.body(), contentType: 'image/png' }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(asked).not.toHaveCount(0);
    await settled(page);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});

test('without scripts there are pictures and words', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseURL}/c/shifted`);
  await expect(page.getByRole('img', { name: 'The page before' })).toBeVisible();
  await expect(page.getByText('A banner of 64 rows is new below the title.')).toBeVisible();
  await page.goto(`${baseURL}/b/run`);
  await expect(page.getByText('What changed')).toBeVisible();
  await context.close();
});

test('the page of a batch shows its changes, each with the pages that have it', async ({ page }) => {
  await page.goto('/b/run');
  await expect(page.getByRole('heading', { name: 'What changed' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'The page after' }).first()).toBeVisible();
  expect(await findings(page)).toEqual([]);
  const change = page.getByRole('listitem').filter({ hasText: 'A banner of 64 rows is new' }).first();
  await change.getByRole('link', { name: /on 3 pages/ }).click();
  await expect(page.getByRole('heading', { name: /Pages with this change: A banner/ })).toBeVisible();
  await page
    .getByRole('region', { name: /Pages with this change/ })
    .getByRole('link', { name: /Prices and plans/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Comparison' })).toBeVisible();
  await page.getByRole('link', { name: 'All pages of this run' }).click();
  await expect(page.getByRole('heading', { name: 'What changed' })).toBeVisible();
});
