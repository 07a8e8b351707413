import { useEffect } from 'react';
import { useClient, useQuery } from 'urql';

import type { ComparisonFilter, ComparisonStatus, Device } from '../../api/generated/graphql';
import { ComparisonScreenDocument, NeighboursDocument, type ShownComparison } from './query';
import { pictureOf } from './picture';

/** Which pages of the run are gone through: those of the grid that one came from, else those to review. */
export interface Walk {
  run?: string | undefined;
  status?: ComparisonStatus | undefined;
  device?: Device | undefined;
}

// The order in which the pages of a run are gone through. It is kept while pages are judged and leave the list.
const orders = new Map<string, readonly string[]>();

/** The pages before and after this one in its run. The next one is loaded ahead, with the first strips of its pictures. */
export function useNeighbours(comparison: ShownComparison, walk: Walk): { previous: string | undefined; next: string | undefined } {
  const client = useClient();
  const filter: ComparisonFilter = {
    ...(walk.run === undefined && { statuses: ['NEW'] }),
    ...(walk.status !== undefined && { statuses: [walk.status] }),
    ...(walk.device !== undefined && { devices: [walk.device] }),
  };
  const key = `${comparison.batchId} ${JSON.stringify(filter)}`;
  const [{ data }] = useQuery({
    query: NeighboursDocument,
    variables: { id: comparison.batchId, page: 1, filter },
    pause: orders.get(key)?.includes(comparison.id) ?? false,
  });
  const found = data?.batch?.comparisons.nodes.map((node) => node.id);
  if (found !== undefined && !(orders.get(key)?.includes(comparison.id) ?? false)) {
    orders.set(key, found.includes(comparison.id) ? found : [comparison.id, ...found]);
  }
  const order = orders.get(key) ?? [];
  const at = order.indexOf(comparison.id);
  const previous = at > 0 ? order[at - 1] : undefined;
  const next = at >= 0 ? order[at + 1] : undefined;
  useEffect(() => {
    if (next === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => {
      void client
        .query(ComparisonScreenDocument, { id: next }, { requestPolicy: 'cache-first' })
        .toPromise()
        .then(({ data: ahead }) => loadAhead(ahead?.comparison ?? null));
    }, 150);
    return () => clearTimeout(timer);
  }, [client, next]);
  return { previous, next };
}

/** Has the browser fetch what the viewer shows first. */
function loadAhead(comparison: ShownComparison | null): void {
  for (const picture of [pictureOf(comparison?.before ?? null), pictureOf(comparison?.after ?? null)]) {
    if (picture !== null) {
      new Image().src = picture.url ?? picture.strips?.address.replace('{n}', '0') ?? '';
    }
  }
}
