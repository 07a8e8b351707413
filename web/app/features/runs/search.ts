import type { BatchSource, ComparisonStatus, Device, QueueStatus } from '../../api/generated/graphql';
import { oneOf, pageNumber, text, type Search } from '../../shell/search';

export const sources = ['MANUAL', 'MONITORING', 'AUTO_UPDATE'] as const satisfies readonly BatchSource[];

export interface RunsSearch {
  q?: string | undefined;
  source?: BatchSource | undefined;
  /** The cursor of the run that the list goes on after. */
  after?: string | undefined;
}

export function runsSearch(search: Search<RunsSearch>): RunsSearch {
  return { q: text(search.q), source: oneOf(search.source, sources), after: text(search.after) };
}

export interface RunSearch {
  view: 'changes' | 'pages' | 'progress';
  status?: ComparisonStatus | undefined;
  device?: Device | undefined;
  text?: string | undefined;
  entries?: QueueStatus | undefined;
  /** The page of the entries, from 1. */
  page?: number | undefined;
}

export function runSearch(search: Search<RunSearch>): RunSearch {
  return {
    view: oneOf(search.view, ['changes', 'pages', 'progress']) ?? 'changes',
    status: oneOf(search.status, ['NEW', 'OK', 'FALSE_POSITIVE', 'TO_FIX']),
    device: oneOf(search.device, ['DESKTOP', 'MOBILE']),
    text: text(search.text),
    entries: oneOf(search.entries, ['OPEN', 'PROCESSING', 'DONE', 'FAILED']),
    page: pageNumber(search.page),
  };
}
