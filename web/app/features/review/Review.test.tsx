import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { refused } from '../../../testing/server';
import { show } from '../../../testing/show';

const hours = {
  fingerprint: 'f1',
  kind: 'TEXT_CHANGED',
  description: 'Paragraph (section > p): text changed from “Open from nine to five.” to “Open from ten to six.”',
  category: 'NOT_SURE',
  comparisonsCount: 8,
  desktopCount: 4,
  mobileCount: 4,
  openCount: 8,
  example: {
    comparison: { id: 'c1', address: 'shop.example.com/', before: { id: 's1' }, after: { id: 's2' } },
    finding: { category: 'NOT_SURE', reason: 'The text of an element differs.', element: { selector: 'main > section > p' } },
  },
};
const price = {
  ...hours,
  fingerprint: 'f2',
  description: 'Price: text changed from “89.00” to “91.00”',
  category: 'ALERT',
  comparisonsCount: 2,
  openCount: 2,
  example: null,
};

const run = {
  id: 'b1',
  name: 'Release',
  type: 'POST',
  finishedAt: '2026-01-01T00:00:00Z',
  changes: { totalCount: 2, nodes: [hours, price] },
};
const nobodys = { ok: 0, new: 0, falsePositive: 0, toFix: 0, aboveThreshold: 0 };
const unchanged = {
  ...run,
  changes: { totalCount: 0, nodes: [] },
  unexplained: { nodes: [] },
  comparisonsCount: { ...nobodys, ok: 4 },
  queuesCount: { failed: 0 },
  unseenCount: 0,
};
const judged = (more: object = {}) => ({ changedCount: 6, reviewId: 'r1', ...more });

const cards = async () => within(await screen.findByRole('list', { name: 'Changes of this run' })).findAllByRole('article');
const current = () => screen.getByRole('list', { name: 'Changes of this run' }).querySelector('li[aria-current="true"]');

describe('the changes of a run', () => {
  test('stand in the order of review, each with its pages and without selectors in sentences', async () => {
    await show('/runs/b1', { batch: run });
    const [first, second] = await cards();
    expect(within(first as HTMLElement).getByRole('heading')).toHaveTextContent('Price: text changed from “89.00” to “91.00”');
    expect(first).toHaveTextContent('Alert');
    expect(within(second as HTMLElement).getByRole('heading')).toHaveTextContent(
      'Paragraph: text changed from “Open from nine to five.” to “Open from ten to six.”',
    );
    expect(second).toHaveTextContent('on 8 pages');
    expect(second).toHaveTextContent('4 desktop');
    expect(second).toHaveTextContent('main > section > p');
    expect(within(second as HTMLElement).getByRole('link', { name: 'Open a page' })).toHaveAttribute('href', '/comparisons/c1?change=f1');
  });

  test.each([
    ['are still to come while it runs', { finishedAt: null }, 'No changes so far'],
    ['need a later run', { type: 'PRE', comparisonsCount: nobodys }, 'Nothing to compare yet'],
    ['need something that was compared', { comparisonsCount: nobodys }, 'Nothing was compared'],
    ['without a list may have been reviewed', { comparisonsCount: { ...nobodys, ok: 4, aboveThreshold: 2 } }, 'Nothing left to review'],
    ['are only told of where they were compared', { queuesCount: { failed: 2 } }, 'No changes on the compared pages'],
    ['are only told of where they were seen', { unseenCount: 1 }, 'No changes in the captured parts'],
    ['may be none', {}, 'No changes'],
  ])('%s', async (_, facts, title) => {
    await show('/runs/b1', { batch: { ...unchanged, ...facts } });
    expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  });

  test('are judged with keys only; what was not shown with an approved change stays open; it is undone', async () => {
    const { server, user } = await show('/runs/b1', {
      batch: run,
      setStatusOfChange: judged({ stillOpenCount: 2 }),
      undoReview: { changedCount: 6, reviewId: 'r2' },
    });
    await cards();
    expect(current()).toHaveTextContent('91.00');
    await user.keyboard('j');
    expect(current()).toHaveTextContent('ten to six');
    await user.keyboard('jk');
    expect(current()).toHaveTextContent('91.00');
    await user.keyboard('{ArrowDown}a');
    expect(await screen.findByText('6 pages approved')).toBeVisible();
    expect(screen.getByText('2 pages remain open: they have other changes.')).toBeVisible();
    expect(server.variablesOf('JudgeChange')).toEqual([{ batchId: 'b1', fingerprint: 'f1', status: 'OK' }]);
    await user.keyboard('u');
    expect(await screen.findByText('6 verdicts undone')).toBeVisible();
    expect(server.variablesOf('UndoReview')).toEqual([{ id: 'r1' }]);
    await user.keyboard('u');
    expect(await screen.findByText('Nothing to undo')).toBeVisible();
  });

  test.each([
    ['x', 'TO_FIX', '6 pages marked to be fixed'],
    ['f', 'FALSE_POSITIVE', '6 pages marked as false positives'],
  ])('are judged otherwise by %s', async (key, status, told) => {
    const { server, user } = await show('/runs/b1', { batch: run, setStatusOfChange: judged() });
    await cards();
    await user.keyboard(key);
    expect(await screen.findByText(told)).toBeVisible();
    expect(server.variablesOf('JudgeChange')).toEqual([{ batchId: 'b1', fingerprint: 'f2', status }]);
  });

  test('say that a change was approved that closes no page', async () => {
    const { user } = await show('/runs/b1', { batch: run, setStatusOfChange: judged({ changedCount: 0, stillOpenCount: 2 }) });
    await user.click(within((await cards())[0] as HTMLElement).getByRole('button', { name: /^Approve/ }));
    expect(await screen.findByText('Change approved')).toBeVisible();
  });

  test('say why a verdict was not saved, and stay as they are', async () => {
    const { server, user } = await show('/runs/b1', {
      batch: run,
      setStatusOfChange: () => {
        throw refused('FORBIDDEN', 'Your role may not review.');
      },
    });
    await user.click(within((await cards())[0] as HTMLElement).getByRole('button', { name: /^Approve/ }));
    // A problem is shown, and read out.
    expect((await screen.findAllByText('The verdict was not saved'))[0]).toBeVisible();
    expect(screen.getAllByText('Your role may not review.')[0]).toBeVisible();
    server.down = true;
    await user.keyboard('a');
    expect((await screen.findAllByText(/Failed to fetch/))[0]).toBeVisible();
    expect((await cards())[0]).toHaveTextContent('Approve on 2 pages');
  });

  test('have no buttons for somebody who may only read, and no keys', async () => {
    const { server, user } = await show('/runs/b1', { batch: run }, { may: ['READ'] });
    await cards();
    expect(screen.queryByRole('button', { name: /Approve|fixed|False/ })).toBeNull();
    await user.keyboard('axf');
    expect(server.variablesOf('JudgeChange')).toEqual([]);
  });

  test('are read again when a colleague has judged', async () => {
    const { server } = await show('/runs/b1', { batch: run });
    await cards();
    server.answers({ batch: { ...run, changes: { totalCount: 2, nodes: [{ ...hours, verdict: { status: 'OK' } }, price] } } });
    const event = { number: 3, kind: 'COMPARISON_STATUS_CHANGED', subjectId: 'c1', batchId: 'b1' };
    await server.tell({ number: 3, events: [{ ...event, batchId: 'another' }] });
    await server.tell({ number: 4, events: [event] });
    expect(await screen.findByText('Approved; 8 pages remain open')).toBeVisible();
    expect(server.variablesOf('RunChanges')).toHaveLength(2);
  });

  test('say in German that nothing changed', async () => {
    await show('/runs/b1', { batch: unchanged }, { language: 'de' });
    expect(await screen.findByText('Keine Änderungen')).toBeVisible();
  });

  test('of a run that does not exist, or was deleted meanwhile, are nowhere', async () => {
    const { server } = await show('/runs/b1', { batch: run });
    await cards();
    server.answers({ batch: null });
    await server.tell({ number: 5, events: [{ number: 5, kind: 'BATCH_DELETED', subjectId: 'b1', batchId: 'b1' }] });
    expect(await screen.findByText('There is nothing at this address')).toBeVisible();
  });
});

const page = (id: string, more: object = {}) => ({
  id,
  status: 'NEW',
  address: `shop.example.com/${id}`,
  device: 'DESKTOP',
  aboveThreshold: true,
  ...more,
});
const pages = {
  ...run,
  comparisons: { totalCount: 3, nodes: [page('c1'), page('c2'), page('c3', { status: 'OK', aboveThreshold: false })] },
};

describe('the pages of a run', () => {
  test('are judged with keys, where the focus is', async () => {
    const { server, user } = await show('/runs/b1?view=pages', {
      batch: pages,
      setComparisonStatuses: judged({ changedCount: 1 }),
      undoReview: { changedCount: 1 },
    });
    expect(await screen.findByRole('link', { name: 'shop.example.com/c1, Desktop' })).toBeVisible();
    expect(screen.getAllByRole('article').map((card) => /Unchanged|To review/.exec(card.textContent)?.[0])).toEqual([
      'To review',
      'To review',
      'Unchanged',
    ]);
    await user.keyboard('jjx');
    expect(await screen.findByText('1 page marked to be fixed')).toBeVisible();
    expect(server.variablesOf('JudgeComparisons')).toEqual([{ ids: ['c2'], status: 'TO_FIX' }]);
  });

  test('are judged together, those that are chosen or all that the filter finds', async () => {
    const { server, user, address } = await show('/runs/b1?view=pages', {
      batch: pages,
      setComparisonStatuses: judged({ changedCount: 2 }),
      setStatusOfComparisons: judged({ changedCount: 3 }),
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Select shop.example.com/c1, Desktop' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select shop.example.com/c2, Desktop' }));
    const bar = () => screen.getByRole('toolbar', { name: 'Selected pages' });
    expect(bar()).toHaveTextContent('2 pages');
    await user.click(within(bar()).getByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('2 pages approved')).toBeVisible();
    expect(server.variablesOf('JudgeComparisons')).toEqual([{ ids: ['c1', 'c2'], status: 'OK' }]);

    await user.click(within(screen.getByRole('group', { name: 'Device' })).getByRole('button', { name: 'Mobile' }));
    expect(address()).toBe('/runs/b1?view=pages&device=MOBILE');
    await user.click(await screen.findByRole('checkbox', { name: 'Select shop.example.com/c3, Desktop' }));
    await user.click(within(bar()).getByRole('button', { name: 'Select all 3 pages' }));
    await user.click(within(bar()).getByRole('button', { name: 'To be fixed' }));
    expect(await screen.findByText('3 pages marked to be fixed')).toBeVisible();
    expect(server.variablesOf('JudgeFound')).toMatchObject([{ filter: { devices: ['MOBILE'], batchIds: ['b1'] }, status: 'TO_FIX' }]);
  });

  test('say that a filter finds none', async () => {
    await show('/runs/b1?view=pages&text=nowhere', { batch: { ...pages, comparisons: {} } });
    expect(await screen.findByText('No matching pages')).toBeVisible();
  });
});
