import { ask, expect, expectAccessible, run, signIn, test } from './person';

interface Moment {
  id: string;
  createdAt: string;
  aboveThreshold: boolean;
  differencePercent: number;
  alignedPercent: number;
}

const moments = 50;

test('the time slider goes through fifty runs of a page, with keys and pointers, on a desk and a phone', async ({ page }) => {
  await signIn(page);
  const { batch } = await ask<{ batch: { comparisons: { nodes: { id: string; sibling: { id: string } }[] } } }>(
    page,
    `query ($id: ID!) { batch(id: $id) { comparisons(first: 1) { nodes { id sibling { id } } } } }`,
    { id: run },
  );
  const now = batch.comparisons.nodes[0];
  // The server is made to list fifty: the last one is real, and the one before is the other device of the page.
  await page.route('**/graphql', async (route) => {
    const { operationName } = route.request().postDataJSON() as { operationName: string };
    if (operationName !== 'PageHistory') {
      return route.continue();
    }
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { comparisons: { nodes: Moment[] } } };
    const [real] = answer.data.comparisons.nodes;
    answer.data.comparisons.nodes = Array.from({ length: moments }, (_, back) => ({
      ...(real as Moment),
      id: back === 0 ? (now?.id ?? '') : back === 1 ? (now?.sibling.id ?? '') : `01a20a63-b593-7324-91c1-7a06648a80${back}`,
      createdAt: new Date(Date.UTC(2026, 9, 30) - back * 86_400_000).toISOString(),
      aboveThreshold: back % 7 === 0,
    }));
    return route.fulfill({ response, json: answer });
  });
  await page.goto(`/comparisons/${now?.id}`);
  const slider = page.getByRole('slider', { name: 'Comparisons of this page over time' });
  await expect(slider).toHaveAttribute('max', String(moments - 1));
  await expect(slider).toHaveValue(String(moments - 1));
  await expect(slider).toHaveAttribute('aria-valuetext', /Oct 30, 2026.*changed/);
  for (const size of [
    { width: 390, height: 844 },
    { width: 1280, height: 860 },
  ]) {
    await page.setViewportSize(size);
    const widths = await page
      .locator('[class*="mark"][title]')
      .evaluateAll((marks) => marks.map((mark) => mark.getBoundingClientRect().width));
    expect(widths).toHaveLength(moments);
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(2);
  }
  await expectAccessible(page);
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(new RegExp(`/comparisons/${now?.sibling.id}`));
});
