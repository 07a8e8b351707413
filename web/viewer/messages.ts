import type { BandKind, Mode, Side, Verdict } from './types';

/** Every text of the viewer. Counts come as numbers, so that a catalogue can choose the plural. */
export interface ViewerMessages {
  /** The name of the viewer as a part of the page. */
  readonly viewer: string;
  readonly toolbar: string;
  readonly view: string;
  readonly modes: Readonly<Record<Mode, string>>;
  readonly sides: Readonly<Record<Side, string>>;
  /** The pictures, for those who do not see them. */
  readonly picture: Readonly<Record<Side, string>>;
  readonly differences: string;
  readonly align: string;
  readonly alignHint: string;
  readonly marks: string;
  readonly opacity: string;
  readonly handle: string;
  readonly handleValue: (percent: number) => string;
  readonly pause: string;
  readonly play: string;
  readonly showOther: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly zoomFit: string;
  readonly zoomFull: string;
  readonly zoomValue: (percent: number) => string;
  readonly device: string;
  readonly previous: string;
  readonly next: string;
  readonly changes: (count: number) => string;
  readonly position: (number: number, count: number) => string;
  readonly noChanges: string;
  readonly noneShown: string;
  readonly showList: string;
  readonly hideList: string;
  readonly filter: string;
  readonly all: string;
  readonly verdicts: Readonly<Record<Verdict, string>>;
  /** What a screen reader says when a change is reached. */
  readonly reached: (change: { number: number; count: number; verdict: string | null; title: string }) => string;
  readonly band: (kind: BandKind, rows: number) => string;
  readonly failed: (count: number) => string;
  readonly failedHere: string;
  readonly retry: string;
  readonly missing: Readonly<Record<Side, string>>;
  readonly noMask: string;
  readonly keys: string;
  /** What each key does, in the order of help. */
  readonly keyHelp: Readonly<Record<KeyName, string>>;
}

export const keyNames = ['next', 'previous', 'modes', 'align', 'marks', 'other', 'zoom', 'fit', 'full'] as const;

export type KeyName = (typeof keyNames)[number];

/** The keys of each command, as they are written on keyboards. */
export const keyCaps: Readonly<Record<KeyName, string>> = {
  next: 'N',
  previous: 'P',
  modes: '1 – 5',
  align: 'A',
  marks: 'X',
  other: 'B',
  zoom: '+ −',
  fit: '0',
  full: 'Z',
};
