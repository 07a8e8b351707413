import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { refused } from '../../../testing/server';
import { account, show } from '../../../testing/show';

const shop = {
  name: 'shop.example.com',
  websiteId: 'w1',
  needs: ['OPEN_ALARMS', 'FAILURES'],
  openAlarms: 8,
  failedCount: 1,
  lastBatch: { id: 'b1', createdAt: '2026-01-01T00:00:00Z' },
  history: {
    nodes: [{ id: 'c1', batchId: 'b1', address: 'shop.example.com/one', previewLink: 'http://elsewhere.example.com/images/1.png?s=x' }],
  },
};
const blog = { name: 'blog.example.com', websiteId: 'w2', needs: [] };

/** An account with one site that needs somebody and one that does not. */
function overview(more: object = {}) {
  const sites = ({ needy }: { needy: boolean }) => (needy ? [shop] : [blog]);
  return {
    account: { ...account, renewalAt: '2026-02-01T00:00:00Z', overview: { sitesCount: 2, needsCount: 1, checksLeft: 900, sites, ...more } },
    webhooks: {},
  };
}

const heading = () => screen.findByRole('heading', { level: 1 });

describe('Home', () => {
  test('says how many sites need somebody and why, in one request, and leads to the run', async () => {
    const { server, user, address } = await show('/', overview());
    expect((await heading()).textContent).toBe('2 sites, 1 needs review');
    expect(server.asked.map(({ name }) => name)).toEqual(['Viewer', 'Home']);
    expect(screen.getByText('8 pages to review')).toBeVisible();
    expect(screen.getByText('1 failure')).toBeVisible();
    // Pictures come from this server, whatever address the operator gave it.
    expect(screen.getByRole('img', { name: 'Difference on shop.example.com/one' })).toHaveAttribute('src', '/images/1.png?s=x');
    const calm = within(screen.getByRole('table')).getByRole('row', { name: /blog/ });
    expect(calm).toHaveTextContent('Never');
    expect(calm).toHaveTextContent('On request');
    server.answers({ batch: null });
    await user.click(screen.getByRole('link', { name: 'shop.example.com' }));
    expect(address()).toBe('/runs/b1?view=changes');
  });

  test('speaks German', async () => {
    await show('/', overview(), { language: 'de' });
    expect(await screen.findByText('8 Seiten zu prüfen')).toBeVisible();
    expect((await heading()).textContent).toBe('2 Websites, 1 zu prüfen');
    expect(screen.getByRole('navigation', { name: 'Hauptnavigation' })).toBeVisible();
  });

  test('shows an empty account the way to its first site', async () => {
    const { user, address } = await show('/', overview({ sitesCount: 0, needsCount: 0 }));
    await user.click(await screen.findByRole('link', { name: 'Add a site' }));
    expect(address()).toBe('/start');
  });

  test('tells what nobody would notice otherwise', async () => {
    const answers = overview({ checksLeft: 1, missedRuns: [{ id: 'g1', name: '<b>Shop</b>', missedRun: 'CHECKS_EXHAUSTED' }] });
    await show('/', {
      ...answers,
      webhooks: { nodes: [{ id: 'h1', url: 'https://hooks.example.com', disabledAt: '2026-01-01T00:00:00Z' }] },
    });
    const problems = within(await screen.findByRole('list', { name: 'Problems' })).getAllByRole('listitem');
    expect(problems.map((each) => each.textContent)).toEqual([
      '1 check is left until February 1, 2026. Runs that need more will not start.',
      'The last run of “<b>Shop</b>” was missed: the checks of the plan were used up.',
      'The webhook https://hooks.example.com was disabled because its receiver does not respond.',
    ]);
  });

  test('says that nothing needs anybody', async () => {
    await show('/', overview({ needsCount: 0, sites: ({ needy }: { needy: boolean }) => (needy ? [] : [blog]) }));
    expect(await screen.findByText('Nothing needs review')).toBeVisible();
    expect((await heading()).textContent).toBe('2 sites, none needs review');
  });

  test('follows runs and open comparisons as they go', async () => {
    const { server } = await show('/', overview());
    await heading();
    await server.tell({ number: 1, openAlarms: 9, runs: [{ id: 'b2', name: 'Release', completion: { planned: 10, done: 3 } }] });
    expect(await screen.findByText('3 of 10', { exact: false })).toBeVisible();
    expect(screen.getByLabelText('9 comparisons to review')).toHaveTextContent('9');
  });

  test('explains why it could not be loaded, and tries again', async () => {
    const { server, user } = await show('/', {
      account: () => {
        throw refused('INTERNAL', 'The database does not answer.');
      },
      webhooks: {},
    });
    expect(await screen.findByText('The database does not answer.')).toBeVisible();
    server.answers(overview());
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect((await heading()).textContent).toBe('2 sites, 1 needs review');
  });
});
