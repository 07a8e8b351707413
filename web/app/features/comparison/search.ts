import { oneOf, text, type Search } from '../../shell/search';
import type { Walk } from '../review/walk';

/** The way on which one came, if one did, and what to look at. */
export interface ComparisonSearch extends Walk {
  /** The change to begin with, by its fingerprint. */
  change?: string | undefined;
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
