import type { Band, Box, Side } from './types';

/**
 * Rows of the canvas on which both pictures are laid out. In an aligned canvas, rows that correspond are beside each
 * other, and where one picture has rows that the other lacks, the other has a gap.
 */
export interface Segment {
  /** The first row on the canvas. */
  readonly top: number;
  readonly rows: number;
  /** The first row in the picture before; null for a gap. */
  readonly before: number | null;
  readonly after: number | null;
  /** What happened to the rows of each picture. */
  readonly beforeKind: 'same' | 'deleted' | 'moved';
  readonly afterKind: 'same' | 'inserted' | 'moved';
}

export interface Canvas {
  readonly width: number;
  readonly rows: number;
  readonly segments: readonly Segment[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Span {
  readonly first: number;
  readonly end: number;
  readonly moved: boolean;
}

/** Whether aligning changes anything: the page has rows in one picture that are elsewhere, or nowhere, in the other. */
export function isShifted(before: Size, after: Size, bands: readonly Band[]): boolean {
  const width = Math.max(before.width, after.width);
  return before.width === after.width && bands.some((band) => band.kind !== 'changed' && isWhole(band, width));
}

/** Both pictures from their top, row by row. */
export function inPlace(before: Size, after: Size): Canvas {
  return align(before, after, []);
}

/**
 * Lays out both pictures so that corresponding rows are beside each other. Deleted and inserted rows at the same place
 * are beside each other too, as in a text diff. Only bands as wide as the pictures count. Bands that contradict each
 * other never lose a row: what is left of a picture comes at the end.
 */
export function align(before: Size, after: Size, bands: readonly Band[]): Canvas {
  const width = Math.max(before.width, after.width);
  const whole = bands.filter((band) => isWhole(band, width));
  const gone = spans(whole, 'deleted', (band) => band.yBefore, before.height);
  const come = spans(whole, 'inserted', (band) => band.yAfter, after.height);
  const segments: Segment[] = [];
  let top = 0;
  let b = 0;
  let a = 0;
  const add = (rows: number, inBefore: boolean, inAfter: boolean, beforeKind: Segment['beforeKind'], afterKind: Segment['afterKind']) => {
    if (rows > 0) {
      segments.push({ top, rows, before: inBefore ? b : null, after: inAfter ? a : null, beforeKind, afterKind });
      top += rows;
      b += inBefore ? rows : 0;
      a += inAfter ? rows : 0;
    }
  };
  for (let i = 0, j = 0; b < before.height || a < after.height;) {
    const next = gone[i];
    const other = come[j];
    add(Math.min((next?.first ?? before.height) - b, (other?.first ?? after.height) - a), true, true, 'same', 'same');
    const atGone = next !== undefined && next.first <= b;
    const atCome = other !== undefined && other.first <= a;
    const beforeKind = next?.moved === true ? 'moved' : 'deleted';
    const afterKind = other?.moved === true ? 'moved' : 'inserted';
    const goneRows = atGone ? next.end - b : 0;
    const comeRows = atCome ? other.end - a : 0;
    if (atGone || atCome) {
      add(Math.min(goneRows, comeRows), true, true, beforeKind, afterKind);
      add(atGone ? next.end - b : 0, true, false, beforeKind, 'same');
      add(atCome ? other.end - a : 0, false, true, 'same', afterKind);
      i += atGone ? 1 : 0;
      j += atCome ? 1 : 0;
      continue;
    }
    // One picture has ended, or the other's next band lies further down than its rows reach.
    add((next?.first ?? before.height) - b, true, false, 'deleted', 'same');
    add((other?.first ?? after.height) - a, false, true, 'same', 'inserted');
  }
  return { width, rows: top, segments };
}

function isWhole(band: Band, width: number): boolean {
  return band.x0 <= 0 && band.x1 >= width && band.rows > 0;
}

/** The rows of one picture that the other has not at the same place, in order and without overlaps. */
function spans(bands: readonly Band[], kind: 'inserted' | 'deleted', start: (band: Band) => number, height: number): Span[] {
  const found = bands
    .filter((band) => band.kind === kind || band.kind === 'moved')
    .map((band) => ({
      first: Math.max(start(band), 0),
      end: Math.min(start(band) + band.rows, height),
      moved: band.kind === 'moved',
    }))
    .toSorted((x, y) => x.first - y.first);
  const kept: Span[] = [];
  for (const span of found) {
    const first = Math.max(span.first, kept.at(-1)?.end ?? 0);
    if (first < span.end) {
      kept.push({ ...span, first });
    }
  }
  return kept;
}

/** The canvas row of a row of a picture; of a row outside of the picture, that of the nearest one. */
export function toCanvas(canvas: Canvas, side: Side, row: number): number {
  let nearest = 0;
  for (const segment of canvas.segments) {
    const first = segment[side];
    if (first === null) {
      continue;
    }
    if (row < first) {
      return nearest;
    }
    if (row < first + segment.rows) {
      return segment.top + (row - first);
    }
    nearest = segment.top + segment.rows - 1;
  }
  return nearest;
}

/** The row of a picture at a canvas row; null in a gap. */
export function fromCanvas(canvas: Canvas, side: Side, y: number): number | null {
  const segment = canvas.segments[segmentAt(canvas, y)];
  const first = segment?.[side] ?? null;
  return segment === undefined || first === null || y >= segment.top + segment.rows ? null : first + (y - segment.top);
}

/** The number of the segment that holds a canvas row, or of the first one below. */
export function segmentAt(canvas: Canvas, y: number): number {
  let low = 0;
  let high = canvas.segments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const segment = canvas.segments[middle];
    if (segment !== undefined && segment.top + segment.rows <= y) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Where a box of a picture is on the canvas. A box around a gap includes it. */
export function boxOnCanvas(canvas: Canvas, side: Side, box: Box): Box {
  const top = toCanvas(canvas, side, box.y);
  const bottom = toCanvas(canvas, side, box.y + Math.max(box.height, 1) - 1) + 1;
  return { x: box.x, y: top, width: box.width, height: bottom - top };
}
