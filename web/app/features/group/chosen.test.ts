import { expect, test } from 'vitest';

import { countOf, filterOf, isChosen, none, withRun } from './chosen';

test('some are chosen one by one', () => {
  const two = withRun(withRun(none, ['a', 'b', 'c'], true), ['b'], false);
  expect([isChosen(two, 'a'), isChosen(two, 'b'), countOf(two, 9)]).toEqual([true, false, 2]);
  expect(filterOf(two, { search: 'x' })).toEqual({ urlIds: ['a', 'c'] });
});

test('all that match are chosen, but for some', () => {
  const most = withRun({ all: true, ids: new Set() }, ['a', 'b'], false);
  const more = withRun(most, ['b'], true);
  expect([isChosen(more, 'a'), isChosen(more, 'b'), isChosen(more, 'z'), countOf(more, 9)]).toEqual([false, true, true, 8]);
  expect(filterOf(more, { search: 'x' })).toEqual({ search: 'x', exceptUrlIds: ['a'] });
});
