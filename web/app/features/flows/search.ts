import { pageNumber, type Search } from '../../shell/search';

export interface FlowSearch {
  /** The page of its runs, from 1. */
  page?: number | undefined;
}

export function flowSearch(search: Search<FlowSearch>): FlowSearch {
  return { page: pageNumber(search.page) };
}
