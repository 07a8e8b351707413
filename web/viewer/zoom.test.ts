import fc from 'fast-check';
import { expect, it } from 'vitest';

import { clampScale, maxScale, minScale, scaleOf, scrollAfter, scrollTo, stepScale, wheelScale } from './zoom';

const scale = fc.double({ min: minScale, max: maxScale, noNaN: true });

it('fits the width and never enlarges', () => {
  expect(scaleOf('fit', 1440, 720)).toBe(0.5);
  expect(scaleOf('fit', 390, 1200)).toBe(1);
  expect(scaleOf('fit', 1440, 0)).toBe(1);
  expect(scaleOf(2, 1440, 720)).toBe(2);
});

it('stays within its bounds', () => {
  fc.assert(
    fc.property(scale, fc.double(), (from, delta) => {
      for (const next of [stepScale(from, 1), stepScale(from, -1), wheelScale(from, delta), clampScale(delta)]) {
        expect(next).toBeGreaterThanOrEqual(minScale);
        expect(next).toBeLessThanOrEqual(maxScale);
      }
    }),
  );
});

it('passes through 100 %', () => {
  expect(stepScale(0.9, 1)).toBe(1);
  expect(stepScale(1.1, -1)).toBe(1);
  expect(stepScale(1, 1)).toBe(1.25);
});

it('keeps the point under the pointer', () => {
  fc.assert(
    fc.property(scale, scale, fc.nat(50_000), fc.nat(900), fc.nat(40), (old, next, scroll, at, margin) => {
      const after = scrollAfter(scroll, at, old, next, margin);
      const point = (scroll + at - margin) / old;
      fc.pre(after > 0);
      expect((after + at - margin) / next).toBeCloseTo(point, 4);
    }),
  );
});

it('shows a box with what is around it', () => {
  expect(scrollTo({ start: 1000, size: 100 }, 800)).toBe(800);
  expect(scrollTo({ start: 1000, size: 700 }, 800)).toBe(950);
  expect(scrollTo({ start: 1000, size: 5000 }, 800)).toBe(1000);
  expect(scrollTo({ start: 10, size: 20 }, 800)).toBe(0);
});
