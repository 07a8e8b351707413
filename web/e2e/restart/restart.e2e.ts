import { ask, expect, group, signIn } from '../dashboard/person';
import { test } from '@playwright/test';

test('a run is followed through a restart of the service, without loading the page again', async ({ page }) => {
  const { CONTROL: control, SCREENSHOTS: screenshots } = process.env;
  if (control === undefined || screenshots === undefined) {
    throw new Error('CONTROL or SCREENSHOTS is not set: run go test -run TestDashboardThroughARestart ./e2e.');
  }
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const { takeScreenshots } = await ask<{ takeScreenshots: { batch: { id: string } } }>(
    page,
    `mutation ($group: ID!) { takeScreenshots(input: { groupIds: [$group], scType: POST }) { batch { id } } }`,
    { group },
  );
  await page.goto(`/runs/${takeScreenshots.batch.id}?view=progress`);
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  const bar = page.getByRole('progressbar', { name: 'Progress of the run' });
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
  const before = Number(await bar.getAttribute('aria-valuenow'));
  const planned = await bar.getAttribute('aria-valuemax');

  expect((await fetch(control, { method: 'POST' })).status).toBe(200);

  await expect
    .poll(async () => ((await bar.isVisible()) ? Number(await bar.getAttribute('aria-valuenow')) : Infinity))
    .toBeGreaterThan(before);
  await expect(bar).toBeHidden();
  await expect(page.getByText(`all ${screenshots} OK`)).toBeVisible();
  expect(planned).toBe(String(2 * Number(screenshots)));
  await expect(page.locator('body[data-same-page]')).toBeVisible();
});
