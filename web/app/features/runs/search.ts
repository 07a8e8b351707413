import type { BatchSource, ComparisonStatus, Device, QueueStatus } from '../../api/generated/graphql';
import { oneOf, text, type Search } from '../../shell/search';

export interface RunsSearch {
  q?: string | undefined;
  source?: BatchSource | undefined;
}

export function runsSearch(search: Search<RunsSearch>): RunsSearch {
  return { q: text(search.q), source: oneOf(search.source, ['MANUAL', 'MONITORING', 'AUTO_UPDATE']) };
}

export interface RunSearch {
  view: 'changes' | 'pages' | 'progress';
  status?: ComparisonStatus | undefined;
  device?: Device | undefined;
  text?: string | undefined;
  entries?: QueueStatus | undefined;
}

export function runSearch(search: Search<RunSearch>): RunSearch {
  return {
    view: oneOf(search.view, ['changes', 'pages', 'progress']) ?? 'changes',
    status: oneOf(search.status, ['NEW', 'OK', 'FALSE_POSITIVE', 'TO_FIX']),
    device: oneOf(search.device, ['DESKTOP', 'MOBILE']),
    text: text(search.text),
    entries: oneOf(search.entries, ['OPEN', 'PROCESSING', 'DONE', 'FAILED']),
  };
}
