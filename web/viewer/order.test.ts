import fc from 'fast-check';
import { expect, it } from 'vitest';

import { align, inPlace } from './alignment';
import { inReadingOrder } from './order';
import type { Box, Change } from './types';

const size = { width: 1000, height: 2000 };
const canvas = inPlace(size, size);
const at = (id: string, x: number, y: number, height = 20): Change => ({ id, title: id, after: { x, y, width: 50, height } });
const ids = (changes: readonly Change[]) => inReadingOrder(canvas, changes).map((change) => change.id);

it('reads lines from the top and each from the left', () => {
  expect(ids([at('c', 20, 200), at('b', 500, 96), at('a', 10, 100)])).toEqual(['a', 'b', 'c']);
  expect(ids([at('menu 2', 300, 10), at('menu 1', 100, 12), at('title', 0, 80)])).toEqual(['menu 1', 'menu 2', 'title']);
});

it('takes a column beside several lines first', () => {
  expect(ids([at('line 1', 300, 10), at('line 2', 300, 200), at('column', 0, 0, 500)])).toEqual(['column', 'line 1', 'line 2']);
});

it('begins with what has no place', () => {
  expect(ids([at('a', 0, 0), { id: 'console', title: 'console' }])).toEqual(['console', 'a']);
});

it('reads what was deleted where it was', () => {
  const shifted = align(size, { width: 1000, height: 1900 }, [{ kind: 'deleted', yBefore: 500, yAfter: 500, rows: 100, x0: 0, x1: 1000 }]);
  const changes: Change[] = [
    at('below', 0, 510),
    { id: 'gone', title: '', before: { x: 0, y: 520, width: 9, height: 9 } },
    at('above', 0, 490, 5),
  ];
  expect(inReadingOrder(shifted, changes).map((change) => change.id)).toEqual(['above', 'gone', 'below']);
});

it('keeps every change once, numbered from 1, in the same order whatever order they come in', () => {
  const box: fc.Arbitrary<Box> = fc.record({
    x: fc.nat(900),
    y: fc.nat(1900),
    width: fc.integer({ min: 1, max: 300 }),
    height: fc.integer({ min: 1, max: 300 }),
  });
  const changes = fc
    .uniqueArray(box, { maxLength: 40, selector: (b) => `${b.x},${b.y}` })
    .map((boxes) => boxes.map((after, i) => ({ id: String(i), title: '', after })));
  fc.assert(
    fc.property(changes, (list) => {
      const found = inReadingOrder(canvas, list);
      expect(found.map((change) => change.number)).toEqual(list.map((_, i) => i + 1));
      expect(new Set(found.map((change) => change.id)).size).toBe(list.length);
      expect(inReadingOrder(canvas, list.toReversed()).map((change) => change.id)).toEqual(found.map((change) => change.id));
    }),
  );
});
