import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { align, boxOnCanvas, fromCanvas, inPlace, isShifted, segmentAt, toCanvas } from './alignment';
import type { Band } from './types';

const width = 100;
const whole = { x0: 0, x1: width };

/** A pair of pages made of blocks that are in both, in one, or in both at different places, with the bands that say so. */
const pages = fc
  .array(fc.record({ kind: fc.constantFrom('same', 'deleted', 'inserted', 'changed'), rows: fc.integer({ min: 1, max: 300 }) }), {
    maxLength: 30,
  })
  .map((blocks) => {
    const bands: Band[] = [];
    let before = 0;
    let after = 0;
    for (const { kind, rows } of blocks) {
      if (kind !== 'same') {
        bands.push({ kind: kind as Band['kind'], yBefore: before, yAfter: after, rows, ...whole });
      }
      before += kind === 'inserted' ? 0 : rows;
      after += kind === 'deleted' ? 0 : rows;
    }
    return { before: { width, height: before }, after: { width, height: after }, bands };
  });

/** Bands that nobody checked: they overlap, contradict each other and reach outside. */
const wildBands = fc.array(
  fc.record({
    kind: fc.constantFrom<Band['kind'][]>('inserted', 'deleted', 'moved', 'changed'),
    yBefore: fc.integer({ min: -50, max: 900 }),
    yAfter: fc.integer({ min: -50, max: 900 }),
    rows: fc.integer({ min: 0, max: 400 }),
    x0: fc.constantFrom(0, 10),
    x1: fc.constantFrom(width, 50),
  }),
  { maxLength: 20 },
);
const height = fc.integer({ min: 0, max: 800 }).map((h) => ({ width, height: h }));

describe('an aligned canvas', () => {
  it('shows every row of both pictures once and in order, whatever the bands say', () => {
    fc.assert(
      fc.property(height, height, wildBands, (before, after, bands) => {
        const canvas = align(before, after, bands);
        let top = 0;
        const rows = { before: 0, after: 0 };
        for (const segment of canvas.segments) {
          expect(segment.rows).toBeGreaterThan(0);
          expect(segment.top).toBe(top);
          top += segment.rows;
          for (const side of ['before', 'after'] as const) {
            if (segment[side] !== null) {
              expect(segment[side]).toBe(rows[side]);
              rows[side] += segment.rows;
            }
          }
          expect(segment.before === null && segment.after === null).toBe(false);
        }
        expect(rows).toEqual({ before: before.height, after: after.height });
        expect(canvas.rows).toBe(top);
      }),
    );
  });

  it('puts corresponding rows beside each other', () => {
    fc.assert(
      fc.property(pages, ({ before, after, bands }) => {
        const canvas = align(before, after, bands);
        let b = 0;
        let a = 0;
        for (const band of [...bands, undefined]) {
          const yBefore = band?.yBefore ?? before.height;
          for (; b < yBefore; b++, a++) {
            expect(toCanvas(canvas, 'before', b)).toBe(toCanvas(canvas, 'after', a));
          }
          b += band === undefined || band.kind === 'inserted' ? 0 : band.rows;
          a += band === undefined || band.kind === 'deleted' ? 0 : band.rows;
        }
      }),
    );
  });

  it('finds the row of a picture again', () => {
    fc.assert(
      fc.property(pages, fc.nat(10_000), ({ before, after, bands }, n) => {
        const canvas = align(before, after, bands);
        for (const [side, size] of [
          ['before', before],
          ['after', after],
        ] as const) {
          if (size.height > 0) {
            const row = n % size.height;
            expect(fromCanvas(canvas, side, toCanvas(canvas, side, row))).toBe(row);
          }
        }
        expect(segmentAt(canvas, canvas.rows)).toBe(canvas.segments.length);
      }),
    );
  });

  it('shows what replaced something beside it', () => {
    const canvas = align({ width, height: 100 }, { width, height: 130 }, [
      { kind: 'deleted', yBefore: 20, yAfter: 20, rows: 10, ...whole },
      { kind: 'inserted', yBefore: 30, yAfter: 20, rows: 40, ...whole },
    ]);
    expect(canvas.segments).toEqual([
      { top: 0, rows: 20, before: 0, after: 0, beforeKind: 'same', afterKind: 'same' },
      { top: 20, rows: 10, before: 20, after: 20, beforeKind: 'deleted', afterKind: 'inserted' },
      { top: 30, rows: 30, before: null, after: 30, beforeKind: 'same', afterKind: 'inserted' },
      { top: 60, rows: 70, before: 30, after: 60, beforeKind: 'same', afterKind: 'same' },
    ]);
  });

  it('shows what moved at both places', () => {
    const canvas = align({ width, height: 100 }, { width, height: 100 }, [{ kind: 'moved', yBefore: 10, yAfter: 60, rows: 20, ...whole }]);
    expect(toCanvas(canvas, 'before', 10)).toBe(10);
    expect(toCanvas(canvas, 'after', 60)).toBe(80);
    expect(toCanvas(canvas, 'before', 30)).toBe(toCanvas(canvas, 'after', 10));
    expect(canvas.segments.filter((s) => s.beforeKind === 'moved' || s.afterKind === 'moved')).toHaveLength(2);
  });

  it('leaves the rows where they are for bands of some columns and for pictures of different widths', () => {
    const band: Band = { kind: 'inserted', yBefore: 5, yAfter: 5, rows: 10, x0: 0, x1: 50 };
    expect(align({ width, height: 50 }, { width, height: 60 }, [band])).toEqual(inPlace({ width, height: 50 }, { width, height: 60 }));
    expect(isShifted({ width, height: 50 }, { width, height: 60 }, [band])).toBe(false);
    expect(isShifted({ width, height: 50 }, { width, height: 60 }, [{ ...band, x1: width }])).toBe(true);
    expect(isShifted({ width, height: 50 }, { width: 90, height: 60 }, [{ ...band, x1: width }])).toBe(false);
  });

  it('keeps a box around its rows', () => {
    fc.assert(
      fc.property(pages, fc.nat(10_000), fc.integer({ min: 1, max: 500 }), ({ before, after, bands }, y, rows) => {
        const canvas = align(before, after, bands);
        const box = boxOnCanvas(canvas, 'after', { x: 3, y, width: 5, height: rows });
        expect(box.x).toBe(3);
        expect(box.height).toBeGreaterThanOrEqual(after.height === 0 ? 1 : Math.min(rows, Math.max(after.height - y, 1)));
        expect(box.y + box.height).toBeLessThanOrEqual(Math.max(canvas.rows, 1));
      }),
    );
  });
});
