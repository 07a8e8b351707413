import { oneOf, text, type Search } from '../../shell/search';
import { orders, type Order } from './order';

export interface SitesSearch {
  q?: string | undefined;
  order?: Order | undefined;
}

export function sitesSearch(search: Search<SitesSearch>): SitesSearch {
  return { q: text(search.q), order: oneOf(search.order, orders) };
}
