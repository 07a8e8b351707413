import type { ViewerPicture } from './types';

/** The height of the strips that the service makes of its pictures. */
const stripRows = 1024;

/** The height up to which a picture is shown as a whole: that costs a browser less than many requests. */
const wholeRows = 4096;

/** A picture of the service by its link, which ends with .png. */
export function galleryPicture(link: string, width: number, height: number): ViewerPicture {
  return height <= wholeRows
    ? { width, height, url: link }
    : { width, height, strips: { rows: stripRows, address: link.replace(/\.png$/, '_strip-{n}.png') } };
}
