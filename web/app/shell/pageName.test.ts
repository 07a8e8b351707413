import { expect, test } from 'vitest';

import { pageName } from './pageName';

test.each([
  ['shop.example.com/basket#top', 'shop.example.com/basket#top'],
  ['shop.example.com/#flow:Checkout/Signed%20in', 'Checkout › Signed in'],
  ['shop.example.com/#flow:50%25%2Foff/100%', '50%/off › 100%'],
])('the page %s is called %s', (address, name) => {
  expect(pageName(address)).toBe(name);
});
