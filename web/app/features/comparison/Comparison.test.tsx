import { cleanup, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { refused } from '../../../testing/server';
import { show } from '../../../testing/show';

const picture = (id: string) => ({ id, link: `http://127.0.0.1/images/${id}.png`, width: 1280, height: 2000 });

const first = {
  id: 'c1',
  batchId: 'b1',
  batchName: 'Release',
  groupId: 'g1',
  urlId: 'l1',
  address: 'shop.example.com/<b>one</b>',
  aboveThreshold: true,
  before: picture('s1'),
  after: picture('s2'),
  findings: [
    { fingerprint: 'f1', category: 'ALERT', description: 'The section is gone', reason: 'An element is missing.', regionIds: [1] },
    { fingerprint: 'f2', category: 'ALL_GOOD', description: 'The heading moved', reason: 'It moved with its surroundings.', regionIds: [] },
  ],
  comments: [
    {
      id: 'm1',
      author: { id: 'u1', name: 'Ada' },
      text: '<img src=x onerror=alert(1)> & <b>not bold</b>',
      createdAt: '2026-01-01T00:00:00Z',
    },
  ],
};
const second = { ...first, id: 'c2', address: 'shop.example.com/two', findings: [], comments: [] };

const answers = {
  comparison: ({ id }: { id: string }) => ({ c1: first, c2: second })[id] ?? null,
  comparisons: {},
  batch: { id: 'b1', comparisons: { totalCount: 2, nodes: [{ id: 'c1' }, { id: 'c2' }] } },
};

const at = '/comparisons/c1';
const heading = (address: string) => screen.findByRole('heading', { level: 1, name: new RegExp(`^${address}`) });

describe('a comparison', () => {
  test('begins with the change that one came for, and is gone through with keys', async () => {
    const { user } = await show(`${at}?change=f2`, answers);
    await heading('shop.example.com/<b>one</b>');
    const changes = within(screen.getByRole('complementary', { name: '2 changes' }));
    expect(changes.getByRole('button', { name: /The heading moved/ })).toHaveAttribute('aria-current', 'true');
    await user.keyboard('n');
    expect(changes.getByRole('button', { name: /The section is gone/ })).toHaveAttribute('aria-current', 'true');
    await user.keyboard('2');
    expect(screen.getByRole('radio', { name: 'Slider' })).toBeChecked();
  });

  test('leads to its neighbours in the run, and back to where one came from', async () => {
    const { server, user, address } = await show(`${at}?run=b1&status=NEW`, answers);
    await heading('shop.example.com/<b>one</b>');
    await expect.poll(() => screen.getByRole('button', { name: 'Next page' })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'Previous page' })).toBeDisabled();
    await user.keyboard(']');
    await heading('shop.example.com/two');
    expect(address()).toBe('/comparisons/c2?run=b1&status=NEW');
    await user.keyboard('k');
    await heading('shop.example.com/<b>one</b>');
    await user.keyboard('{Escape}');
    expect(address()).toBe('/runs/b1?view=pages');
    expect(server.variablesOf('Neighbours')[0]).toMatchObject({ filter: { statuses: ['NEW'] } });
  });

  test('is judged by key and followed by the next one', async () => {
    const { server, user, address } = await show(at, { ...answers, setComparisonStatuses: { changedCount: 1, reviewId: 'r1' } });
    await heading('shop.example.com/<b>one</b>');
    await expect.poll(() => screen.getByRole('button', { name: 'Next page' })).toBeEnabled();
    await user.keyboard('a');
    await heading('shop.example.com/two');
    expect(address()).toBe('/comparisons/c2');
    expect(server.variablesOf('JudgeComparisons')).toEqual([{ ids: ['c1'], status: 'OK' }]);
  });

  test('names selectors of the CSS that match nothing on the page', async () => {
    const cssSelectors = [
      { selector: '.promo', elements: 0 },
      { selector: '.clock', elements: 3 },
    ];
    const comparison = { ...first, after: { ...picture('s2'), manifest: { missing: [], cssSelectors } } };
    const { user } = await show(at, { ...answers, comparison });
    await heading('shop.example.com/<b>one</b>');
    await user.click(screen.getByRole('button', { name: 'Details' }));
    const name = await screen.findByText('CSS selectors without elements on this page');
    expect(name.nextElementSibling).toHaveTextContent(/^\.promo$/);
  });

  test('says what of its page was not seen, in the language of the reader', async () => {
    const strip = { kind: 'scrolled', element: '#strip', side: 'right', pixels: 2868, description: '2,868 px of #strip are not shown' };
    const rest = { kind: 'cut', element: null, side: 'left', pixels: 40, description: '40 px to the left are cut off' };
    const lacking = (before: unknown[], after: unknown[]) => ({
      ...answers,
      comparison: {
        ...first,
        before: { ...picture('s1'), manifest: { missing: before } },
        after: { ...picture('s2'), manifest: { missing: after, cssSelectors: [] } },
      },
    });
    await show(at, lacking([strip], [strip]));
    expect(await screen.findByText('The comparison is incomplete: 2,868 px of #strip are not shown.')).toBeVisible();
    cleanup();
    await show(at, lacking([], [rest, strip]), { language: 'de' });
    expect(
      await screen.findByText('Der Vergleich ist unvollständig. Nachher: 40 px links fehlen, 2.868 px von #strip fehlen.'),
    ).toBeVisible();
    cleanup();
    await show(at, lacking([], []));
    await heading('shop.example.com/<b>one</b>');
    expect(screen.queryByText(/comparison is incomplete/)).toBeNull();
  });

  test('has comments, which are text; who wrote one changes it', async () => {
    const edited = { ...first.comments[0], text: 'Wrong hours a', editedAt: '2026-01-02T00:00:00Z' };
    const { server, user } = await show(at, { ...answers, editComment: { comment: edited } });
    await heading('shop.example.com/<b>one</b>');
    await user.keyboard('i');
    expect(await screen.findByText('<img src=x onerror=alert(1)> & <b>not bold</b>')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Edit comment' }));
    const field = screen.getByRole('textbox', { name: 'Edit comment' });
    expect(field).toHaveFocus();
    await user.clear(field);
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
    await user.type(field, 'Wrong hours a'); // which is no verdict here
    server.answers({ comparison: { ...first, comments: [edited] } });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('edited')).toBeVisible();
    expect(server.variablesOf('EditComment')).toEqual([{ id: 'm1', text: 'Wrong hours a' }]);
    expect(server.variablesOf('JudgeComparisons')).toEqual([]);
  });

  test('is only looked at by somebody who may not review', async () => {
    const { server, user } = await show(at, answers, { may: ['READ'] });
    await heading('shop.example.com/<b>one</b>');
    await user.keyboard('axfoi');
    expect(await screen.findByRole('heading', { name: 'Comments' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Approve|Create a rule|comment/ })).toBeNull();
    expect(server.asked.filter(({ name }) => name.includes('Judge') || name.includes('Reopen'))).toEqual([]);
  });

  test('speaks German', async () => {
    await show(at, answers, { language: 'de' });
    expect(await screen.findByRole('radio', { name: 'Nebeneinander' })).toBeChecked();
    expect(screen.getByRole('button', { name: 'Nächste Seite' })).toBeVisible();
  });

  test('that is not there is nowhere', async () => {
    await show(at, {
      ...answers,
      comparison: () => {
        throw refused('NOT_FOUND', 'There is no such comparison.');
      },
    });
    expect(await screen.findByText('There is nothing at this address')).toBeVisible();
  });
});
