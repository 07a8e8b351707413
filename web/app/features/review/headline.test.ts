import { expect, it } from 'vitest';

import { headline } from './headline';

it('leaves the selector out', () => {
  const selector = 'body > main > section > p:nth-of-type(2)';
  expect(headline('Paragraph (section > p:nth-of-type(2)): text changed (a bit).', selector)).toBe('Paragraph: text changed (a bit).');
  expect(headline('Paragraph (#hours): text changed.', '#hours')).toBe('Paragraph: text changed.');
});

it('leaves everything else as it is', () => {
  for (const description of [
    'Two rows were inserted (and more).',
    'Paragraph: text changed.',
    'Text changed to “:-(”.',
    'An end (without',
  ]) {
    expect(headline(description, 'main > p')).toBe(description);
    expect(headline(description, undefined)).toBe(description);
  }
});
