import { type Canvas, segmentAt } from './alignment';
import type { Side, ViewerPicture } from './types';

/** A part of a picture on the canvas: rows of one segment that lie in one strip. */
export interface Piece {
  readonly key: string;
  readonly address: string;
  /** The rows of the canvas that it fills. */
  readonly top: number;
  readonly rows: number;
  /** Where the whole strip would be on the canvas, of which the piece is a part. */
  readonly stripTop: number;
  readonly stripRows: number;
}

/** The parts of a picture that lie in the rows from … to of the canvas, from the top. */
export function pieces(canvas: Canvas, side: Side, picture: ViewerPicture, from: number, to: number): Piece[] {
  const found: Piece[] = [];
  for (let i = segmentAt(canvas, Math.max(from, 0)); i < canvas.segments.length; i++) {
    const segment = canvas.segments[i];
    if (segment === undefined || segment.top >= to) {
      break;
    }
    const first = segment[side];
    if (first === null) {
      continue;
    }
    const shift = segment.top - first;
    const begin = Math.max(first, from - shift);
    const end = Math.min(first + segment.rows, to - shift, picture.height);
    if (begin >= end) {
      continue;
    }
    for (let n = stripOf(picture, begin); stripStart(picture, n) < end; n++) {
      const start = stripStart(picture, n);
      const stripRows = Math.min(stripHeight(picture), picture.height - start);
      // All of the strip that the segment shows, whatever the window is: a piece does not change while one scrolls.
      const top = Math.max(first, start);
      const rows = Math.min(first + segment.rows, start + stripRows, picture.height) - top;
      if (rows > 0) {
        found.push({
          key: `${i}.${n}`,
          address: addressOf(picture, n),
          top: top + shift,
          rows,
          stripTop: start + shift,
          stripRows,
        });
      }
    }
  }
  return found;
}

/** The address of a strip, or of the whole picture if it has none. */
export function addressOf(picture: ViewerPicture, strip: number): string {
  return picture.strips ? picture.strips.address.replace('{n}', String(strip)) : (picture.url ?? '');
}

/** The address to ask for again after a failure: browsers remember that a picture could not be shown. */
export function retried(address: string, attempt: number): string {
  return attempt === 0 ? address : `${address}?retry=${attempt}`;
}

const stripHeight = (picture: ViewerPicture) => picture.strips?.rows ?? picture.height;
const stripOf = (picture: ViewerPicture, row: number) => Math.floor(row / stripHeight(picture));
const stripStart = (picture: ViewerPicture, n: number) => n * stripHeight(picture);

/**
 * The rows to keep mounted around those that are visible, rounded so that it changes only now and then while one scrolls.
 */
export function windowAround(top: number, height: number): { from: number; to: number } {
  const step = Math.max(height / 2, 1);
  return { from: Math.floor(top / step - 1) * step, to: Math.ceil((top + height) / step + 1) * step };
}
