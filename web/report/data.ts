import type { Comparison, Verdict } from '../viewer';

/** What the program writes into a report, see internal/compare/report/html.go. */
export interface Report {
  readonly before: string;
  readonly after: string;
  readonly summary: string;
  readonly engine: string;
  readonly started: string;
  readonly changes: readonly GroupedChange[];
  readonly pages: readonly ComparedPage[];
}

/** A change, once for all places where it is seen. */
export interface GroupedChange {
  readonly id: string;
  readonly verdict: Verdict;
  readonly title: string;
  readonly reason?: string;
  /** Why it is due to the hosts of the two sites; absent if it is a change. */
  readonly host?: string;
  readonly places: readonly Place[];
  readonly before?: string;
  readonly after?: string;
}

/** A page, by its number in the report, and the change's id in its comparison. */
export interface Place {
  readonly page: number;
  readonly change: string;
}

export interface ComparedPage {
  readonly path: string;
  readonly device: string;
  readonly verdict: 'equal' | 'failed' | Verdict;
  readonly percent: number;
  readonly headline: string;
  readonly problem?: string;
  /** What of the page its pictures do not show: the verdict does not count for it. */
  readonly unseen?: string;
  /** Absent if there is nothing to show. */
  readonly comparison?: Comparison;
}

/** The data of the report. It is text that is parsed, never run. */
export function readReport(): Report {
  return JSON.parse(document.getElementById('data')?.textContent ?? '{}') as Report;
}
