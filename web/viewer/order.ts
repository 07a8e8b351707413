import { type Canvas, boxOnCanvas } from './alignment';
import type { Box, Change } from './types';

/** A change with its place on the canvas and its number in reading order, from 1. */
export interface PlacedChange extends Change {
  readonly number: number;
  /** Its boxes on the canvas. */
  readonly onBefore: Box | null;
  readonly onAfter: Box | null;
  /** A box around both; null for a change without a place. */
  readonly place: Box | null;
}

/**
 * The changes as one reads a page: line by line from the top, and from the left within a line. Boxes are in the same line
 * if the middle of one lies within the height of the line's first. Changes without a place come first.
 */
export function inReadingOrder(canvas: Canvas, changes: readonly Change[]): PlacedChange[] {
  const placed = changes.map((change) => {
    const onBefore = change.before ? boxOnCanvas(canvas, 'before', change.before) : null;
    const onAfter = change.after ? boxOnCanvas(canvas, 'after', change.after) : null;
    return { ...change, number: 0, onBefore, onAfter, place: around(onBefore, onAfter) };
  });
  const nowhere = placed.filter((change) => change.place === null);
  const somewhere = placed.filter((change) => change.place !== null).toSorted((p, q) => topOf(p) - topOf(q) || leftOf(p) - leftOf(q));
  const lines: (typeof placed)[] = [];
  for (const change of somewhere) {
    const line = lines.at(-1);
    const first = line?.[0]?.place;
    if (line !== undefined && first && change.place && middle(change.place) < first.y + first.height) {
      line.push(change);
    } else {
      lines.push([change]);
    }
  }
  const inLines = lines.flatMap((line) => line.toSorted((p, q) => leftOf(p) - leftOf(q) || topOf(p) - topOf(q)));
  return [...nowhere, ...inLines].map((change, i) => ({ ...change, number: i + 1 }));
}

const topOf = (change: { place: Box | null }) => change.place?.y ?? 0;
const leftOf = (change: { place: Box | null }) => change.place?.x ?? 0;
const middle = (box: Box) => box.y + box.height / 2;

/** The smallest box around two. The place of a change is its place after, unless it is not there any more. */
function around(before: Box | null, after: Box | null): Box | null {
  return after ?? before;
}
