import { useEffect, useState } from 'react';
import { useClient } from 'urql';

import type { Element } from './picking';
import { PickedElementsDocument } from './query';

const atOnce = 500; // as many as the API gives

/** The elements of a screenshot, which come in several answers; none if they could not be had. */
export function useElements(screenshotId: string): { elements: readonly Element[]; complete: boolean } {
  const client = useClient();
  const [elements, setElements] = useState<readonly Element[]>([]);
  const [complete, setComplete] = useState(false);
  useEffect(() => {
    const left = new AbortController();
    const load = async () => {
      const all: Element[] = [];
      for (let full = true; full && !left.signal.aborted;) {
        const after = all.at(-1)?.number ?? null;
        const { data } = await client.query(PickedElementsDocument, { id: screenshotId, first: atOnce, after }).toPromise();
        const more = data?.screenshot?.content?.elements ?? [];
        all.push(...more);
        full = more.length === atOnce;
      }
      if (!left.signal.aborted) {
        setElements(all);
        setComplete(true);
      }
    };
    void load();
    return () => left.abort();
  }, [client, screenshotId]);
  return { elements, complete };
}
