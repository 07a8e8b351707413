import { useSyncExternalStore } from 'react';

/** A page of the report with the change that is selected on it, or the list. */
export interface Route {
  readonly page: number | null;
  readonly change: string | null;
}

/** The address of the list of all changes. */
export const overview = '#';

/** The address of a page within the report, which is a single file: the part after #. */
export function addressOf(page: number, change?: string): string {
  return `#page/${page}${change === undefined ? '' : `/${encodeURIComponent(change)}`}`;
}

export function parseRoute(hash: string): Route {
  const [, page, change] = /^#page\/(\d+)(?:\/([^/]+))?$/.exec(hash) ?? [];
  return {
    page: page === undefined ? null : Number(page),
    change: change === undefined ? null : decodeURIComponent(change),
  };
}

function subscribe(changed: () => void) {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}

/** The route that the address names, also after the browser's own Back. */
export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => location.hash));
}
