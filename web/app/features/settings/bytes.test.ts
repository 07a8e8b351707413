import { createFormatter } from 'use-intl';
import { expect, test } from 'vitest';

import { inUnits } from './bytes';

test.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [1000, '1 kB'],
  [1_234_567, '1.23 MB'],
  [987_654_321_000, '988 GB'],
  [12e15, '12,000 TB'],
])('%d bytes are %s', (bytes, shown) => {
  expect(inUnits(bytes, createFormatter({ locale: 'en', timeZone: 'UTC' }))).toBe(shown);
});
