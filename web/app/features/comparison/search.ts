import type { ComparisonStatus, Device } from '../../api/generated/graphql';
import { oneOf, text, type Search } from '../../shell/search';

export interface ComparisonSearch {
  /** The change to begin with, by its fingerprint. */
  change?: string | undefined;
  /** The run whose grid one came from, with the filter that it had. */
  run?: string | undefined;
  status?: ComparisonStatus | undefined;
  device?: Device | undefined;
  text?: string | undefined;
}

export function comparisonSearch(search: Search<ComparisonSearch>): ComparisonSearch {
  return {
    change: text(search.change),
    run: text(search.run),
    status: oneOf(search.status, ['NEW', 'OK', 'FALSE_POSITIVE', 'TO_FIX']),
    device: oneOf(search.device, ['DESKTOP', 'MOBILE']),
    text: text(search.text),
  };
}
