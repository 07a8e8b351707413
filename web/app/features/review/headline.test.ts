import { expect, it } from 'vitest';

import { headline } from './headline';

it('leaves the selector out', () => {
  expect(headline('Paragraph (main > p:nth-of-type(2)): text changed.', 'main > p:nth-of-type(2)')).toBe('Paragraph: text changed.');
  expect(headline('Two rows were inserted here (and moved the content).', undefined)).toBe('Two rows were inserted here (and moved the content).');
  expect(headline('Paragraph: text changed.', 'main > p')).toBe('Paragraph: text changed.');
});
