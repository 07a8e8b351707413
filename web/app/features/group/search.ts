import type { SelectionOrder } from '../../api/generated/graphql';
import { oneOf, text, type Search } from '../../shell/search';

/** What the URLs of a group can be sorted by; the newest first unless the address says otherwise. */
export const sortKeys = [
  'ADDRESS',
  'TITLE',
  'TAG',
  'LAST_CHANGED_AT',
  'LAST_CRAWLED_AT',
  'SELECTED',
] as const satisfies readonly SelectionOrder[];

/** The parts of a group's screen. */
export const tabs = ['urls', 'schedule', 'settings'] as const;

export type Tab = (typeof tabs)[number];

export interface GroupSearch {
  tab?: Tab | undefined;
  q?: string | undefined;
  type?: string | undefined;
  category?: string | undefined;
  tag?: string | undefined;
  sort?: (typeof sortKeys)[number] | undefined;
  /** The other way round than a key is sorted by at first. */
  turned?: true | undefined;
}

export function groupSearch(search: Search<GroupSearch>): GroupSearch {
  return {
    tab: oneOf(search.tab, tabs),
    q: text(search.q),
    type: text(search.type),
    category: text(search.category),
    tag: text(search.tag),
    sort: oneOf(search.sort, sortKeys),
    turned: String(search.turned) === 'true' || undefined,
  };
}
