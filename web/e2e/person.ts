import { expect, test as base, type Page } from '@playwright/test';

/** What the Go test that runs these tests says about the service. */
export function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: run go test -run TestDashboard ./e2e, or TestManage, or TestScreens.`);
  }
  return value;
}

/** Whether this is a long run, in which tests take more of everything. */
export const long = process.env['AFTERIMAGE_SOAK'] !== undefined;

/** Signs a page's browser in, as a person does. */
export async function signIn(page: Page, token = given('TOKEN')): Promise<void> {
  await page.goto('/signin/');
  await page.getByLabel('API token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('/');
}

/** Signs a page's browser in by the request of that form, and goes to a screen, for tests that begin there. */
export async function signInAt(page: Page, at: string, token = given('TOKEN')): Promise<void> {
  const response = await page.request.post('/session', {
    headers: { 'X-Afterimage-Client': 'test', Origin: given('SERVICE_URL'), Accept: 'application/json' },
    data: { token },
  });
  expect(response.ok()).toBe(true);
  await page.goto(at);
}

/** Goes to a screen by g and a letter: again if the two came too far apart, as they do on a busy machine. */
export async function go(page: Page, letter: string, to: string): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await expect(page).toHaveURL(to, { timeout: 5_000 });
  }).toPass();
}

/** Asks the API as the dashboard does. */
export async function ask<T>(page: Page, query: string, variables: Record<string, unknown> = {}): Promise<T> {
  const response = await page.request.post('/graphql', {
    headers: { 'X-Afterimage-Client': 'test', Origin: new URL(page.url()).origin },
    data: { query, variables },
  });
  const answer = (await response.json()) as { data: T; errors?: { message: string }[] };
  expect(answer.errors ?? []).toEqual([]);
  return answer.data;
}

/** A test whose page reports nothing: no error, no refused content, and nothing that a captured page brought has run. */
export const test = base.extend<{ quiet: void }>({
  quiet: [
    async ({ page }, use) => {
      const said: string[] = [];
      page.on('pageerror', (error) => said.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') {
          said.push(message.text());
        }
      });
      await use();
      await page.unrouteAll({ behavior: 'ignoreErrors' }); // an answer that a test would change may come after its end
      expect(said).toEqual([]);
      expect(await page.title()).not.toBe('hostile');
    },
    { auto: true },
  ],
});

export { expect };
export { expectAccessible } from './accessible';
