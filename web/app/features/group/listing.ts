import type { OrderDirection, SelectionFilter, SelectionOrder } from '../../api/generated/graphql';
import type { GroupSearch } from './search';

/** Which URLs are listed, in which order: the variables of a query. */
export interface Listing {
  filter: SelectionFilter;
  orderBy: SelectionOrder;
  orderDirection: OrderDirection;
}

// Names begin with A, times with the latest.
const ascending: readonly SelectionOrder[] = ['ADDRESS', 'TITLE', 'TAG'];

/** What the address asks for. */
export function listingOf({ q, type, category, tag, sort, turned }: GroupSearch): Listing {
  const orderBy = sort ?? 'CREATED';
  return {
    filter: { search: q ?? null, type: type ?? null, category: category ?? null, tags: tag === undefined ? null : [tag] },
    orderBy,
    orderDirection: ascending.includes(orderBy) !== (turned === true) ? 'ASC' : 'DESC',
  };
}

/** Whether the list leaves something out. */
export function isFiltered({ q, type, category, tag }: GroupSearch): boolean {
  return [q, type, category, tag].some((each) => each !== undefined);
}
