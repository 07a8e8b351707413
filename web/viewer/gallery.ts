import type { ViewerPicture } from './types';

/** The height of the strips that the service makes of its pictures. */
const stripRows = 1024;

/** The height up to which a picture is shown as a whole: that costs a browser less than many requests. */
const wholeRows = 4096;

/**
 * A picture of the service by its link, which ends with .png: a screenshot, or with mask the marks of a comparison.
 */
export function galleryPicture(link: string, width: number, height: number, mask = false): ViewerPicture {
  const base = link.replace(/\.png$/, mask ? '_mask' : '');
  return height <= wholeRows
    ? { width, height, url: `${base}.png` }
    : { width, height, strips: { rows: stripRows, address: `${base}_strip-{n}.png` } };
}
