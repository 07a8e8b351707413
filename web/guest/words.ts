import type { ViewerMessages } from '../viewer';

export type Status = 'new' | 'ok' | 'false_positive' | 'to_fix';

/** Every text of what the script adds to the public pages. */
export interface GuestWords {
  readonly viewer: ViewerMessages;
  readonly status: Readonly<Record<Status, string>>;
  readonly approve: string;
  readonly toFix: string;
  readonly undo: string;
  readonly decision: string;
  readonly comments: string;
  readonly decidedSince: string;
  readonly nobodySaid: string;
  readonly guest: string;
  readonly yourComment: string;
  readonly comment: string;
  readonly changeName: string;
  /** Before and after the name. */
  readonly commentAs: readonly [string, string];
  readonly yourName: string;
  readonly nameAbout: string;
  readonly cancel: string;
  readonly proceed: string;
  readonly decidedEverywhere: string;
  readonly approvedButOpen: string;
  readonly approveEverywhere: string;
  readonly approved: (pages: number) => string;
  readonly accepted: string;
  readonly stillOpen: (pages: number) => string;
  readonly unreachable: string;
  readonly notSaved: string;
}
