import { expect, it } from 'vitest';

import { galleryPicture } from './gallery';
import { addressOf } from './pieces';

it('shows tall pictures in strips and others as a whole', () => {
  expect(addressOf(galleryPicture('/images/abc.png', 1440, 4096), 0)).toBe('/images/abc.png');
  const tall = galleryPicture('https://example.com/images/abc.png', 1440, 4097);
  expect(tall.url).toBeUndefined();
  expect(addressOf(tall, 4)).toBe('https://example.com/images/abc_strip-4.png');
  expect(addressOf(galleryPicture('/images/abc_mask.png', 1440, 100_000), 97)).toBe('/images/abc_mask_strip-97.png');
});
