import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { refused } from '../../../testing/server';
import { show } from '../../../testing/show';

const release = {
  id: 'b1',
  name: 'Release <b>42</b>',
  type: 'POST',
  source: 'MANUAL',
  finishedAt: '2026-01-01T00:00:00Z',
  comparisonsCount: { new: 3, toFix: 1, ok: 4 },
  unseenCount: 2,
  websiteDomains: ['shop.example.com'],
};
const nightly = {
  id: 'b2',
  name: 'Nightly',
  type: 'AUTO',
  source: 'MONITORING',
  finishedAt: null,
  completion: { planned: 40, done: 10 },
  groupNames: ['Shop'],
};

const batches = (nodes: readonly object[], endCursor: string | null = null) => ({
  nodes,
  pageInfo: { hasNextPage: endCursor !== null, endCursor },
});

const runOf = async (name: string) => screen.findByRole('link', { name: new RegExp(name) });

describe('the list of runs', () => {
  test('tells of each run what it was, where, and how it ended or how far it is', async () => {
    await show('/runs', { batches: batches([release, nightly]) });
    const ended = await runOf('Release');
    expect(ended).toHaveTextContent('Release <b>42</b>After · On request · shop.example.com');
    expect(ended).toHaveTextContent('3 to review');
    expect(ended).toHaveTextContent('1 to be fixed');
    expect(ended).toHaveTextContent('2 not fully captured');
    const bar = within(await runOf('Nightly')).getByRole('progressbar');
    expect(bar).toHaveAttribute('aria-valuenow', '10');
    expect(bar).toHaveAttribute('aria-valuemax', '40');
  });

  test('is narrowed by name and by what started a run, from the newest on', async () => {
    const { server, user, address } = await show('/runs?after=c9', { batches: batches([release]) });
    await runOf('Release');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Started by' }), 'Schedule');
    expect(address()).toBe('/runs?source=MONITORING');
    await user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'shop');
    await screen.findByDisplayValue('shop');
    await expect
      .poll(() => server.variablesOf('RunList').at(-1))
      .toEqual({ first: 50, after: null, filter: { search: 'shop', sources: ['MONITORING'] } });
    expect(address()).toBe('/runs?source=MONITORING&q=shop');
  });

  test('goes on to older runs and back to the newest', async () => {
    const { server, user, address } = await show('/runs', { batches: batches([release], 'c1') });
    await user.click(await screen.findByRole('link', { name: 'Older runs' }));
    expect(address()).toBe('/runs?after=c1');
    await expect.poll(() => server.variablesOf('RunList').at(-1)).toMatchObject({ after: 'c1' });
    await user.click(await screen.findByRole('link', { name: 'Newest runs' }));
    expect(address()).toBe('/runs');
  });

  test('shows a run that has begun meanwhile', async () => {
    const { server } = await show('/runs', { batches: batches([release]) });
    await runOf('Release');
    server.answers({ batches: batches([nightly, release]) });
    await server.tell({ number: 2, events: [{ number: 2, kind: 'BATCH_CREATED', subjectId: 'b2', batchId: 'b2' }] });
    expect(await runOf('Nightly')).toBeVisible();
  });

  test('says that there are none, in German, too', async () => {
    await show('/runs', { batches: batches([]) }, { language: 'de' });
    expect(await screen.findByText('Keine Läufe')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Läufe');
  });

  test('says why it is not there, and asks again', async () => {
    const { server, user } = await show('/runs', {
      batches: () => {
        throw refused('INTERNAL', 'The database does not answer.');
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('The database does not answer.');
    server.answers({ batches: batches([release]) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await runOf('Release')).toBeVisible();
  });
});
