import { expect, test } from 'vitest';

import { atField } from './problem';

test.each([
  ['The steps.3.label field is required.', 'This field is required.'],
  ['The url field must have a public host.', 'This field must have a public host.'],
  ['The group is deleted.', 'The group is deleted.'],
])('beside its field, “%s” does not name it', (message, shown) => {
  expect(atField({ path: '', rule: '', message })).toBe(shown);
});
