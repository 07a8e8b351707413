import { expect, test } from 'vitest';

import { inReviewOrder } from './order';
import type { RunChange } from './query';

const change = (fingerprint: string, category: RunChange['category'], comparisonsCount: number, openCount: number) =>
  ({ fingerprint, category, comparisonsCount, openCount }) as RunChange;

test('open changes come first, then grave ones, then frequent ones', () => {
  const changes = [
    change('judged alert', 'ALERT', 9, 0),
    change('harmless', 'ALL_GOOD', 40, 40),
    change('unsure, twice', 'NOT_SURE', 2, 1),
    change('unsure, on many pages', 'NOT_SURE', 14, 14),
    change('alert', 'ALERT', 1, 1),
  ];
  expect(inReviewOrder(changes).map((each) => each.fingerprint)).toEqual([
    'alert',
    'unsure, on many pages',
    'unsure, twice',
    'harmless',
    'judged alert',
  ]);
});
