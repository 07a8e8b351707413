import { expect, test } from 'vitest';

import { addressOf, parseRoute } from './route';

test('a route comes back from its address', () => {
  expect(parseRoute(addressOf(3))).toEqual({ page: 3, change: null });
  expect(parseRoute(addressOf(12, 'f 1/2'))).toEqual({ page: 12, change: 'f 1/2' });
});

test('any other address is the list', () => {
  for (const hash of ['', '#', '#page/x', '#page/1/2/3', '#content']) {
    expect(parseRoute(hash).page).toBeNull();
  }
});
