import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { align, fromCanvas } from './alignment';
import { addressOf, pieces, retried, windowAround } from './pieces';
import type { Band, ViewerPicture } from './types';

const strips = { rows: 100, address: '/images/abc_strip-{n}.png' };
const bands: Band[] = [
  { kind: 'deleted', yBefore: 150, yAfter: 150, rows: 30, x0: 0, x1: 10 },
  { kind: 'inserted', yBefore: 400, yAfter: 370, rows: 260, x0: 0, x1: 10 },
];
const before: ViewerPicture = { width: 10, height: 900, strips };
const after: ViewerPicture = { width: 10, height: 1130, strips };
const canvas = align(before, after, bands);

describe('pieces', () => {
  it('show every row of a window, each from the strip that holds it', () => {
    fc.assert(
      fc.property(fc.integer({ min: -200, max: 1300 }), fc.integer({ min: 1, max: 600 }), (from, rows) => {
        for (const [side, picture] of [
          ['before', before],
          ['after', after],
        ] as const) {
          const found = pieces(canvas, side, picture, from, from + rows);
          const shown = new Set<number>();
          for (const piece of found) {
            for (let y = piece.top; y < piece.top + piece.rows; y++) {
              expect(shown.has(y)).toBe(false);
              shown.add(y);
              const row = fromCanvas(canvas, side, y);
              const strip = Math.floor((row ?? -1) / 100);
              expect(piece.address).toBe(`/images/abc_strip-${strip}.png`);
              expect(y - piece.stripTop).toBe((row ?? -1) - strip * 100);
            }
            expect(piece.top).toBeGreaterThanOrEqual(piece.stripTop);
            expect(piece.top + piece.rows).toBeLessThanOrEqual(piece.stripTop + piece.stripRows);
          }
          for (let y = Math.max(from, 0); y < Math.min(from + rows, canvas.rows); y++) {
            expect(shown.has(y)).toBe(fromCanvas(canvas, side, y) !== null);
          }
        }
      }),
    );
  });

  it('stay the same while one scrolls', () => {
    const all = new Map(pieces(canvas, 'after', after, 0, canvas.rows).map((piece) => [piece.key, piece]));
    for (let y = 0; y < canvas.rows; y += 37) {
      for (const piece of pieces(canvas, 'after', after, y, y + 50)) {
        expect(piece).toEqual(all.get(piece.key));
      }
    }
  });

  it('are few for a window of a very tall page', () => {
    const tall: ViewerPicture = { width: 1440, height: 100_000, strips: { rows: 1024, address: 's{n}' } };
    expect(pieces(align(tall, tall, []), 'after', tall, 50_000, 52_700)).toHaveLength(4);
  });

  it('are the whole picture where there are no strips', () => {
    const picture: ViewerPicture = { width: 10, height: 900, url: 'whole.png' };
    const found = pieces(canvas, 'before', picture, 0, canvas.rows);
    expect(new Set(found.map((piece) => piece.address))).toEqual(new Set(['whole.png']));
    expect(found.map((piece) => piece.stripRows)).toEqual(found.map(() => 900));
    expect(addressOf({ width: 1, height: 1 }, 0)).toBe('');
  });
});

describe('the window', () => {
  it('reaches at least half a view beyond both ends, at most one and a half, and moves in steps', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.double({ min: 10, max: 3000, noNaN: true }), (top, height) => {
        const { from, to } = windowAround(top, height);
        expect(top - from).toBeGreaterThanOrEqual(height / 2 - 1e-6);
        expect(top - from).toBeLessThanOrEqual(height + 1e-6);
        expect(to - (top + height)).toBeGreaterThanOrEqual(height / 2 - 1e-6);
        expect(to - (top + height)).toBeLessThanOrEqual(height + 1e-6);
      }),
    );
    expect(windowAround(101, 100)).toEqual(windowAround(149, 100));
  });
});

it('asks for another address after a failure', () => {
  expect(retried('a.png', 0)).toBe('a.png');
  expect(retried('a.png', 2)).toBe('a.png?retry=2');
});
