/** What the viewer shows. All of it is plain data, as it comes from a query, a page or a file. */

/** A box in pixels of a picture, from its top left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A picture, whole or in strips. A browser decodes a whole picture at once, so a tall one should have strips. */
export interface ViewerPicture {
  readonly width: number;
  readonly height: number;
  /** The address of the whole picture. */
  readonly url?: string | undefined;
  readonly strips?: Strips | undefined;
}

/** The addresses of a picture's parts, which are full-width and equally high but for the last. */
export interface Strips {
  /** The height of a strip. */
  readonly rows: number;
  /** Their address, with {n} in place of the number, from 0. */
  readonly address: string;
}

export type BandKind = 'inserted' | 'deleted' | 'moved' | 'changed';

/** Rows that were inserted, deleted, moved or changed, between two columns. */
export interface Band {
  readonly kind: BandKind;
  /** Their first row in the picture before; of inserted rows the row they stand above. */
  readonly yBefore: number;
  /** Their first row in the picture after; of deleted rows the row they stood above. */
  readonly yAfter: number;
  readonly rows: number;
  readonly x0: number;
  readonly x1: number;
}

export type Verdict = 'alert' | 'unsure' | 'good';

/** One change of the page, in words, and where it is. A change without boxes has no place in the pictures. */
export interface Change {
  readonly id: string;
  readonly title: string;
  /** Why the verdict is what it is. */
  readonly reason?: string | undefined;
  readonly verdict?: Verdict | undefined;
  readonly before?: Box | undefined;
  readonly after?: Box | undefined;
}

/** A remark on the whole comparison, such as that a page was cut off. */
export interface Note {
  readonly tone: 'alert' | 'plain';
  readonly text: string;
}

/** A comparison as the viewer shows it. */
export interface Comparison {
  /** null if there is no picture, such as before the first visit. */
  readonly before: ViewerPicture | null;
  readonly after: ViewerPicture | null;
  /** What differs, transparent elsewhere, in the rows of the picture after; null if nothing differs or it is not known. */
  readonly mask: ViewerPicture | null;
  readonly bands: readonly Band[];
  readonly changes: readonly Change[];
  readonly notes?: readonly Note[] | undefined;
  /** When the pictures were taken, in words. */
  readonly takenBefore?: string | undefined;
  readonly takenAfter?: string | undefined;
}

export type Side = 'before' | 'after';

export const modes = ['sides', 'slider', 'overlay', 'blink', 'difference'] as const;

export type Mode = (typeof modes)[number];
