import { useRef, useState } from 'react';

import type { SelectionFilter } from '../../api/generated/graphql';
import { urlsBetween } from './rows';

/** URLs that somebody chose in a list: some of them, or all that the list's filter matches, with exceptions. */
export interface Chosen {
  all: boolean;
  /** Those chosen or, with all, the exceptions. */
  ids: ReadonlySet<string>;
}

export const none: Chosen = { all: false, ids: new Set() };

export function isChosen({ all, ids }: Chosen, id: string): boolean {
  return ids.has(id) !== all;
}

/** How many of a list of so many. */
export function countOf({ all, ids }: Chosen, total: number): number {
  return all ? Math.max(0, total - ids.size) : ids.size;
}

/** The chosen URLs as the API takes them. */
export function filterOf({ all, ids }: Chosen, filter: SelectionFilter): SelectionFilter {
  return all ? { ...filter, exceptUrlIds: [...ids] } : { urlIds: [...ids] };
}

/** The same with a run of URLs chosen, or not. */
export function withRun({ all, ids }: Chosen, run: readonly string[], chosen: boolean): Chosen {
  const next = new Set(ids);
  for (const id of run) {
    if (chosen === all) {
      next.delete(id);
    } else {
      next.add(id);
    }
  }
  return { all, ids: next };
}

export interface Choosing {
  chosen: Chosen;
  set: (chosen: Chosen) => void;
  /** With a run, the URL and everything between it and the one changed last. */
  toggle: (id: string, run: boolean) => void;
}

export function useChoosing(): Choosing {
  const [chosen, set] = useState(none);
  const last = useRef<string>(undefined);
  const toggle = (id: string, run: boolean) => {
    const ids = run && last.current !== undefined ? urlsBetween(last.current, id) : [id];
    last.current = id;
    // Rows that are not drawn anew keep this function: it must not know what was chosen then.
    set((now) => withRun(now, ids, !isChosen(now, id)));
  };
  return { chosen, set, toggle };
}
