import type { DeliveryState } from '../../api/generated/graphql';
import { oneOf, text, type Search } from '../../shell/search';

/** A list that is searched and paged through. */
export interface ListSearch {
  q?: string | undefined;
  /** The cursor that the list goes on after. */
  after?: string | undefined;
}

export function listSearch(search: Search<ListSearch>): ListSearch {
  return { q: text(search.q), after: text(search.after) };
}

export interface PeopleSearch extends ListSearch {
  /** The cursor that the list of invitations goes on after. */
  invited?: string | undefined;
}

export function peopleSearch(search: Search<PeopleSearch>): PeopleSearch {
  return { ...listSearch(search), invited: text(search.invited) };
}

export const deliveryStates = ['PENDING', 'DELIVERED', 'FAILED'] as const satisfies readonly DeliveryState[];

export interface DeliveriesSearch {
  state?: DeliveryState | undefined;
  after?: string | undefined;
}

export function deliveriesSearch(search: Search<DeliveriesSearch>): DeliveriesSearch {
  return { state: oneOf(search.state, deliveryStates), after: text(search.after) };
}
