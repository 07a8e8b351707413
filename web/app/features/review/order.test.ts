import { expect, test } from 'vitest';

import { inReviewOrder } from './order';
import type { RunChange } from './query';

const change = (fingerprint: string, category: RunChange['category'], comparisonsCount: number, openCount: number, side = 1) =>
  ({
    fingerprint,
    category,
    comparisonsCount,
    openCount,
    example: { finding: { boxAfter: { x: 0, y: 0, w: side, h: side } } },
  }) as RunChange;

test('open changes come first, then grave ones, then frequent ones, then large ones', () => {
  const changes = [
    change('judged alert', 'ALERT', 9, 0),
    change('harmless', 'ALL_GOOD', 40, 40),
    change('unsure, twice', 'NOT_SURE', 2, 1),
    change('unsure, on many pages', 'NOT_SURE', 14, 14),
    change('unsure, on many pages, large', 'NOT_SURE', 14, 14, 300),
    change('alert', 'ALERT', 1, 1),
  ];
  expect(inReviewOrder(changes).map((each) => each.fingerprint)).toEqual([
    'alert',
    'unsure, on many pages, large',
    'unsure, on many pages',
    'unsure, twice',
    'harmless',
    'judged alert',
  ]);
});
