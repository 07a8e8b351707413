import { text, type Search } from '../../shell/search';

/** How far the first steps are, so that a reload goes on there. */
export interface StartSearch {
  group?: string | undefined;
  domain?: string | undefined;
  reading?: string | undefined;
  batch?: string | undefined;
}

export function startSearch(search: Search<StartSearch>): StartSearch {
  return { group: text(search.group), domain: text(search.domain), reading: text(search.reading), batch: text(search.batch) };
}
