import { expect, test } from 'vitest';

import { formatSelector, parseSelector } from './selector';

test.each([
  'role=button[name="Buy"]',
  String.raw`role=link[name="Say \"hello\" \\ now"]`,
  'role=heading',
  'text=Sign in >> now',
  'label=E-mail || placeholder=Search || testid=buy',
  '#basket > li >> nth=2',
  '[data-a="b"] >> nth=12 >> exact',
  'css=a=b',
  'text=1 = 1 >> exact',
])('what %s says is read and written again', (selector) => {
  expect(formatSelector(parseSelector(selector))).toBe(selector);
});

test('what is empty is left out', () => {
  const empty = { way: 'text', role: '', words: '  ', nth: '', exact: true } as const;
  expect(parseSelector(null)).toEqual([]);
  expect(formatSelector([empty, { ...empty, way: 'role', role: 'main' }])).toBe('role=main >> exact');
  expect(formatSelector([empty])).toBeNull();
});
