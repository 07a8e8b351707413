import { expect, items, open, scrollTop, settled, stage, test } from './page';

test('the whole review works with keys alone', async ({ page }) => {
  await open(page, 'shifted');
  const status = page.getByRole('status');
  await page.keyboard.press('n');
  await expect(status).toHaveText('Change 1 of 4, Harmless: <b>The footer</b> & everything below moved up.');
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  await expect(status).toHaveText('Change 4 of 4, Alert: The section “What customers say” is gone.');
  await expect(items(page).nth(3).getByRole('button')).toHaveAttribute('aria-current', 'true');
  await expect.poll(() => scrollTop(page)).toBeGreaterThan(100);
  await page.keyboard.press('n');
  await expect(status).toContainText('Change 1 of 4');
  await page.keyboard.press('p');
  await expect(status).toContainText('Change 4 of 4');
  for (const [key, name] of [
    ['2', 'Slider'],
    ['3', 'Overlay'],
    ['4', 'Blink'],
    ['5', 'Difference'],
    ['1', 'Side by side'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole('radio', { name })).toBeChecked();
  }
  await page.keyboard.press('a');
  await expect(page.getByRole('button', { name: 'Align rows' })).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('x');
  await expect(page.getByRole('button', { name: 'Mark changes' })).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('z');
  await expect(page.getByRole('button', { name: '100 %' })).toBeVisible();
  await page.keyboard.press('+');
  await expect(page.getByRole('button', { name: '125 %' })).toBeVisible();
});

test('Tab reaches everything that pointers reach, and arrows choose the view', async ({ page }) => {
  await open(page, 'shifted');
  const reached: string[] = [];
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press('Tab');
    reached.push(
      await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? ''),
    );
  }
  const all = reached.join('\n');
  for (const name of [
    'Side by side',
    'Align rows',
    'Mark changes',
    'Zoom in',
    'Next change',
    'Alert 1',
    'A banner of 64 rows',
    'Comparison',
  ]) {
    expect(all).toContain(name);
  }
  await page.getByRole('radio', { name: 'Side by side' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Slider' })).toBeFocused();
  await expect(page.getByRole('radio', { name: 'Slider' })).toBeChecked();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('radio', { name: 'Difference' })).toBeChecked();
});

test('the slider has a handle for keys and pointers', async ({ page }) => {
  await open(page, 'shifted');
  await page.keyboard.press('2');
  const handle = page.getByRole('slider', { name: 'Divider between before and after' });
  await handle.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect(handle).toHaveAttribute('aria-valuenow', '59');
  await expect(handle).toHaveAttribute('aria-valuetext', 'Before: 59 % on the left');
  const box = await stage(page).boundingBox();
  const grip = await handle.boundingBox();
  expect(box).not.toBeNull();
  if (box && grip) {
    await page.mouse.move(grip.x + grip.width / 2, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, box.y + 220, { steps: 5 });
    await page.mouse.up();
  }
  await expect(handle).toHaveAttribute('aria-valuenow', '25');
  await page.keyboard.press('Home');
  await expect(handle).toHaveAttribute('aria-valuenow', '0');
});

test('a screen reader finds the pictures, the changes and what is shown', async ({ page }) => {
  await open(page, 'shifted');
  await expect(page.getByRole('region', { name: 'Comparison' })).toMatchAriaSnapshot(`
    - region "Comparison":
      - group "View of the comparison":
        - radiogroup "View":
          - radio "Side by side" [checked]
          - radio "Slider"
          - radio "Overlay"
          - radio "Blink"
          - radio "Difference"
        - button "Align rows" [pressed]
        - button "Mark changes" [pressed]
        - button "Zoom out"
        - button /\\d+ %/
        - button "Zoom in"
      - complementary "4 changes":
        - heading "4 changes" [level=2]
        - button "Previous change"
        - button "Next change"
        - group "Filter changes by verdict":
          - button "All 4" [pressed]
          - button "Alert 1"
          - button "Not sure 1"
          - button "Harmless 2"
        - paragraph: 2 of 4 changes need attention.
        - list:
          - listitem:
            - button "Harmless <b>The footer</b> & everything below moved up. It moved with its surroundings."
          - listitem:
            - button /Not sure A banner/
          - listitem:
            - button /Harmless The heading/
          - listitem:
            - button /Alert The section/
        - group: Keyboard
      - group "Comparison":
        - img "The page before"
        - img "The page after"
  `);
});

test('corresponding rows are beside each other, until one does not want that', async ({ page }) => {
  await open(page, 'shifted');
  const heights = () => page.locator('[data-side]').evaluateAll((panes) => panes.map((pane) => pane.firstElementChild?.clientHeight));
  const aligned = await heights();
  await page.keyboard.press('a');
  await expect.poll(heights).not.toEqual(aligned);
  await page.keyboard.press('a');
  await expect.poll(heights).toEqual(aligned);
});

test('the wheel zooms at the pointer with Ctrl, and dragging pans', async ({ page }) => {
  await open(page, 'long');
  const box = await stage(page).boundingBox();
  expect(box).not.toBeNull();
  if (!box) {
    return;
  }
  const at = { x: box.x + box.width * 0.75, y: box.y + 300 };
  await page.mouse.move(at.x, at.y);
  const before = await scrollTop(page);
  await page.keyboard.down('Control');
  for (let i = 0; i < 6; i++) {
    await page.mouse.wheel(0, -100);
  }
  await page.keyboard.up('Control');
  await expect.poll(() => scrollTop(page)).toBeGreaterThan(before);
  const zoomed = await scrollTop(page);
  await page.mouse.down();
  await page.mouse.move(at.x - 50, at.y - 200, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => scrollTop(page)).toBeGreaterThan(zoomed + 150);
});

test('a page of 100,000 rows keeps few parts mounted, down to its end', async ({ page }) => {
  await open(page, 'tall');
  let most = 0;
  for (let part = 0; part <= 1; part += 0.05) {
    await stage(page).evaluate((element, to) => element.scrollTo(0, to * element.scrollHeight), part);
    await settled(page);
    most = Math.max(most, await page.locator('img').count());
  }
  expect(most).toBeLessThanOrEqual(24);
  await page.keyboard.press('p');
  await expect(page.getByRole('status')).toContainText('Change 24 of 24');
  await expect
    .poll(() => stage(page).evaluate((element) => (element.scrollTop + element.clientHeight) / element.scrollHeight))
    .toBeGreaterThan(0.99);
  await settled(page);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('reloading shows the same again', async ({ page }) => {
  await open(page, 'long');
  await page.keyboard.press('n');
  await page.reload();
  await settled(page);
  await expect(items(page)).not.toHaveCount(0);
  await page.keyboard.press('n');
  await expect(page.getByRole('status')).toContainText('Change 1 of');
});

test('the toolbar and the captions stay while the pictures scroll', async ({ page }) => {
  await open(page, 'long');
  const bar = page.getByRole('group', { name: 'View of the comparison' });
  const before = await bar.boundingBox();
  await stage(page).evaluate((element) => element.scrollTo(0, 5000));
  expect(await bar.boundingBox()).toEqual(before);
  expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('it begins with the slider and shows one change at a time', async ({ page }) => {
    await open(page, 'mobile');
    await expect(page.getByRole('radio', { name: 'Slider' })).toBeChecked();
    await page.getByRole('button', { name: 'Next change' }).tap();
    await page.getByRole('button', { name: 'Next change' }).tap();
    await expect(page.getByRole('status')).toContainText('Change 2 of 4');
    await expect(items(page).filter({ visible: true })).toHaveCount(1);
    await page.getByRole('button', { name: 'Show all changes' }).tap();
    await expect(items(page).filter({ visible: true })).toHaveCount(4);
    await items(page).nth(3).getByRole('button').tap();
    await expect(page.getByRole('status')).toContainText('Change 4 of 4');
    await expect(items(page).filter({ visible: true })).toHaveCount(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  test('two fingers zoom', async ({ page }) => {
    await open(page, 'mobile');
    const scale = page.getByRole('button', { name: / %/ });
    const before = await scale.textContent();
    await stage(page).evaluate((element) => {
      const touch = (identifier: number, y: number) => new Touch({ identifier, target: element, clientX: 150, clientY: y });
      const fire = (type: string, a: number, b: number) =>
        element.dispatchEvent(new TouchEvent(type, { touches: [touch(1, a), touch(2, b)], bubbles: true, cancelable: true }));
      fire('touchstart', 300, 400);
      fire('touchmove', 250, 450);
      element.dispatchEvent(new TouchEvent('touchend', { touches: [], bubbles: true }));
    });
    await expect(scale).not.toHaveText(before ?? '');
  });
});
