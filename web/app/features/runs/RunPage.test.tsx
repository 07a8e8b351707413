import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { show } from '../../../testing/show';

const update = { id: 'b1', name: 'Update', type: 'POST', source: 'AUTO_UPDATE', finishedAt: '2026-01-01T00:00:00Z' };
const styleSheet = 'The style sheet /theme.css does not load (404).';

const damaged = {
  decision: 'ROLL_BACK',
  reasons: [{ kind: 'STYLE_SHEET', sentence: styleSheet, comparisonIds: ['c7', 'c8'], folded: [{ kind: 'DAMAGED' }] }],
  culprit: { name: 'Seedbank', fromVersion: '1.1', toVersion: '1.2' },
};

const refusal = (over: object) => ({
  id: 'q1',
  urlLink: 'https://shop.example.com/cart',
  refusal: { wholeSite: true, status: 503, since: '2026-01-01T16:52:00Z', nextAttemptAt: null, ...over },
});

const waiting = (...nodes: object[]) => ({
  ...update,
  finishedAt: null,
  queuesCount: { open: 4, processing: 0, done: 0, failed: 0, total: 4 },
  queueEntries: { totalCount: nodes.length, nodes },
});

describe('the page of a run', () => {
  test('says what to do with the update before it, why, and where to see it', async () => {
    await show('/runs/b1?view=progress', { batch: update, batchGate: damaged });
    const verdict = within(await screen.findByRole('region', { name: 'Verdict on the update' }));
    expect(verdict.getByText('Roll back')).toBeVisible();
    expect(verdict.getByText('Most likely cause: Seedbank (1.1 → 1.2)')).toBeVisible();
    expect(verdict.getByText('1 other finding follows from it')).toBeVisible();
    expect(verdict.getByRole('link', { name: `Show: ${styleSheet}` })).toHaveAttribute('href', '/comparisons/c7');
  });

  test('asks for no verdict where no update was made', async () => {
    const { server } = await show('/runs/b1?view=progress', { batch: { ...update, source: 'MANUAL' }, batchGate: damaged });
    await screen.findByRole('heading', { level: 1, name: 'Update' });
    expect(server.variablesOf('RunVerdict')).toEqual([]);
    expect(screen.queryByText('Verdict on the update')).toBeNull();
  });

  test('says that a site is under maintenance, since when, and when it is asked again', async () => {
    const nextAttemptAt = new Date(Date.now() + 2_400_000).toISOString();
    await show('/runs/b1?view=progress', { batch: waiting({ ...refusal({}), id: 'q0', refusal: null }, refusal({ nextAttemptAt })) });
    const told = await screen.findByText(/has answered 503/);
    expect(told).toHaveTextContent(
      /^The site of https:\/\/shop\.example\.com\/cart has answered 503 \(maintenance\) since 4:52\sPM\. Next attempt in \d+ minutes\.$/,
    );
  });

  test('says in German which page is refused', async () => {
    await show('/runs/b1?view=progress', { batch: waiting(refusal({ wholeSite: false, status: 429 })) }, { language: 'de' });
    const told = await screen.findByText(/lehnt seit/);
    expect(told).toHaveTextContent(
      /^https:\/\/shop\.example\.com\/cart lehnt seit 16:52 Anfragen ab \(HTTP-Status 429\)\. Der nächste Versuch/,
    );
  });
});
