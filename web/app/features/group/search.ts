import { oneOf, text, type Search } from '../../shell/search';

export interface GroupSearch {
  tab?: 'urls' | 'schedule' | 'settings' | undefined;
  q?: string | undefined;
  type?: string | undefined;
  category?: string | undefined;
}

export function groupSearch(search: Search<GroupSearch>): GroupSearch {
  return {
    tab: oneOf(search.tab, ['urls', 'schedule', 'settings']),
    q: text(search.q),
    type: text(search.type),
    category: text(search.category),
  };
}
