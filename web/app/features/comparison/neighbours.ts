import { useEffect } from 'react';
import { useClient, type Client } from 'urql';

import type { ComparisonFilter } from '../../api/generated/graphql';
import { Store, useStore } from '../../api/store';
import { pictureOf } from '../../shell/picture';
import type { Walk } from '../review/walk';
import { ComparisonScreenDocument, NeighboursDocument, type ShownComparison } from './query';

const perPage = 100; // as in the query
const mostPages = 100;
const pause = 150; // milliseconds after which the next page is loaded: whoever leafs through quickly does not wait for those between

// The order in which the pages of a run are gone through, as far as it is known. It stays while pages are judged and leave the list.
const orders = new Map<string, Store<readonly string[]>>();

function orderOf(key: string): Store<readonly string[]> {
  const known = orders.get(key) ?? new Store<readonly string[]>([]);
  orders.set(key, known);
  return known;
}

/** The pages before and after this one in its run. The next one is loaded ahead, with the first strips of its pictures. */
export function useNeighbours(comparison: ShownComparison, walk: Walk): { previous: string | undefined; next: string | undefined } {
  const client = useClient();
  const filter: ComparisonFilter = {
    ...(walk.run === undefined && { statuses: ['NEW'] }),
    ...(walk.status !== undefined && { statuses: [walk.status] }),
    ...(walk.device !== undefined && { devices: [walk.device] }),
    ...(walk.text !== undefined && { text: walk.text }),
  };
  const { id, batchId } = comparison;
  const key = JSON.stringify([batchId, filter]);
  const order = useStore(orderOf(key));
  const at = order.indexOf(id);
  const previous = order[at - 1];
  const next = at < 0 ? undefined : order[at + 1];
  useEffect(() => {
    if (next === undefined) {
      const [batch, wanted] = JSON.parse(key) as [string, ComparisonFilter];
      void extend(client, orderOf(key), batch, wanted, id);
      return undefined;
    }
    const timer = setTimeout(() => void loadAhead(client, next), pause);
    return () => clearTimeout(timer);
  }, [client, key, id, next]);
  return { previous, next };
}

/** Reads the order up to a page after this one. Judged pages may have left the list, so it is read from its beginning. */
async function extend(
  client: Client,
  store: Store<readonly string[]>,
  batchId: string,
  filter: ComparisonFilter,
  id: string,
): Promise<void> {
  let order = store.get();
  for (let page = 1; page <= mostPages; page++) {
    const { data } = await client.query(NeighboursDocument, { id: batchId, page, filter }, { requestPolicy: 'network-only' }).toPromise();
    const found = data?.batch?.comparisons.nodes.map((node) => node.id) ?? [];
    const known = new Set(order);
    order = [...order, ...found.filter((each) => !known.has(each))];
    if (found.length < perPage || (order.includes(id) && order.at(-1) !== id)) {
      break;
    }
  }
  store.set(order.includes(id) ? order : [id, ...order]);
}

/** Has the browser fetch what the viewer shows first. */
async function loadAhead(client: Client, id: string): Promise<void> {
  const { data } = await client.query(ComparisonScreenDocument, { id }, { requestPolicy: 'cache-first' }).toPromise();
  for (const screenshot of [data?.comparison?.before, data?.comparison?.after]) {
    const picture = pictureOf(screenshot ?? null);
    if (picture !== null) {
      new Image().src = picture.url ?? picture.strips?.address.replace('{n}', '0') ?? '';
    }
  }
}
