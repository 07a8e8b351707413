import { useCallback, useEffect, useState } from 'react';
import { useClient } from 'urql';

import type { Element } from './picking';
import { PickedElementsDocument } from './query';

const atOnce = 500; // as many as the API gives

interface Loading {
  state: 'loading' | 'loaded' | 'notStored' | 'failed';
  /** Empty until all have been loaded. */
  elements: readonly Element[];
}

const none: Loading = { state: 'loading', elements: [] };

/** The elements of a screenshot, which come in several answers. */
export function useElements(screenshotId: string): Loading & { retry: () => void } {
  const client = useClient();
  const [loading, setLoading] = useState(none);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const left = new AbortController();
    const load = async (): Promise<Loading> => {
      const elements: Element[] = [];
      for (let full = true; full && !left.signal.aborted;) {
        const after = elements.at(-1)?.number ?? null;
        const { data, error } = await client.query(PickedElementsDocument, { id: screenshotId, first: atOnce, after }).toPromise();
        if (error !== undefined) {
          return { state: 'failed', elements: [] };
        }
        const content = data?.screenshot?.content;
        if (content == null) {
          return { state: 'notStored', elements: [] };
        }
        elements.push(...content.elements);
        full = content.elements.length === atOnce;
      }
      return { state: 'loaded', elements };
    };
    const show = async () => {
      const loaded = await load();
      if (!left.signal.aborted) {
        setLoading(loaded);
      }
    };
    void show();
    return () => left.abort();
  }, [client, screenshotId, tries]);
  const retry = useCallback(() => {
    setLoading(none);
    setTries((n) => n + 1);
  }, []);
  return { ...loading, retry };
}
