import { expect, test } from 'vitest';

import { elementsAt, meantAt, read, targetsOf, type Element } from './picking';
import { formatSelector } from './selector';

let number = 0;
const element = (tag: string, [x, y, width, height]: [number, number, number, number], part: Partial<Element> = {}): Element => ({
  __typename: 'PageElement',
  number: number++,
  tag,
  box: { __typename: 'Box', x, y, width, height },
  selector: tag,
  role: null,
  text: null,
  ...part,
});

const main = element('main', [0, 0, 1000, 2000], { role: 'main' });
const card = element('div', [0, 0, 500, 300], { selector: 'div.card' });
const buy = element('button', [10, 10, 120, 40], { role: 'button', selector: '#buy' });
const icon = element('svg', [14, 14, 32, 32], { selector: '#buy > svg' });
const words = element('span', [50, 14, 70, 32], { text: 'Buy now', selector: '#buy > span' });
const field = element('input', [10, 60, 300, 40], { role: 'textbox', text: 'you@example.com', selector: '#mail' });
const price = element('p', [10, 120, 300, 20], { text: '€ 9.90', selector: 'p.price' });
const more = ['one', 'two'].map((id, n) =>
  element('a', [10, 200 + 40 * n, 80, 20], { role: 'link', text: 'More', selector: `x-list >>> a#${id}` }),
);
const elements = [main, card, buy, icon, words, field, price, ...more];
const reading = read(elements);
const selectorOf = (each: Element) => formatSelector(targetsOf(each, reading));

test('a click on what is within a button means the button', () => {
  expect(elementsAt(elements, { x: 20, y: 20 })).toEqual([icon, buy, card, main]);
  expect(meantAt(elements, { x: 20, y: 20 })).toBe(buy);
  expect(meantAt(elements, { x: 60, y: 20 })).toBe(buy);
});

test('a click beside what can be acted on means the smallest element with a text, or the smallest', () => {
  expect(meantAt(elements, { x: 15, y: 125 })).toBe(price);
  expect(meantAt(elements, { x: 400, y: 290 })).toBe(card);
  expect(meantAt(elements, { x: 999, y: 1999 })).toBe(main);
  expect(meantAt(elements, { x: 1000, y: 5 })).toBeUndefined();
  expect(meantAt(elements, { x: -1, y: 5 })).toBeUndefined();
});

test('a button is named by the text within it', () => {
  expect(reading.words.get(buy)).toBe('Buy now');
  expect(selectorOf(buy)).toBe('role=button[name="Buy now"] || #buy');
});

test('an element is found by its text, a field by its CSS selector: what is in it is not its label', () => {
  expect(selectorOf(price)).toBe('text=€ 9.90 || p.price');
  expect(selectorOf(field)).toBe('#mail');
});

test('of several with the same name each is found by CSS, within its shadow tree', () => {
  expect(more.map(selectorOf)).toEqual(['a#one', 'a#two']);
});

test('a long text is shortened at the end of a word', () => {
  const long = element('p', [0, 1000, 900, 40], { text: `${'word '.repeat(30)}end`, selector: '' });
  expect(formatSelector(targetsOf(long, read([main, long])))).toBe(`text=${'word '.repeat(12).trim()}`);
});
