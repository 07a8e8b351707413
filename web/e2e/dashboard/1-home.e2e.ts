import { expect, expectAccessible, run, signIn, test } from './person';

test('home says how many sites need somebody, and leads to the run', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) {
      requests.push(request.postData() ?? '');
    }
  });
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 site, 1 needs review');
  // One for the viewer, one for the screen; what is live comes over the socket.
  expect(requests).toHaveLength(2);
  expect(requests.join('')).not.toContain('query Home');
  await expect(page.getByText('8 pages to review')).toBeVisible();
  await expectAccessible(page);
});

test('nobody gets in without signing in, and the way leads back', async ({ page }) => {
  await page.goto(`/runs/${run}?view=pages`);
  await expect(page).toHaveURL(/\/signin\/\?next=/);
  await page.getByLabel('API token').fill(process.env['TOKEN'] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(`/runs/${run}?view=pages`);
});

test('a link on another site, such as in a mail, leads a signed-in person to its page', async ({ page }) => {
  await signIn(page);
  const link = new URL(`/runs/${run}?view=pages`, page.url()).href;
  await page.goto('about:blank');
  await page.setContent(`<a href="${link}">The run</a>`);
  await page.getByRole('link', { name: 'The run' }).click();
  await expect(page).toHaveURL(link);
  await expect(page.getByRole('navigation', { name: 'Views of the run' })).toBeVisible();
});

test('it fits on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});
