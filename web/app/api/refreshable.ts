import { useCallback, useEffect, useRef } from 'react';
import { useQuery, type AnyVariables, type CombinedError, type UseQueryArgs } from 'urql';

interface Refreshable<Data> {
  data: Data | undefined;
  error: CombinedError | undefined;
  /** Whether the data is from before, and newer data is on its way. */
  stale: boolean;
  /**
   * Asks again: at once, or when the answer that is on its way has come. An answer that was no longer waited for would never come
   * where there is reason to ask again more often than answers take.
   */
  refresh: () => void;
}

/** The answer to a query, which can be asked again. */
export function useRefreshable<Data, Variables extends AnyVariables>(args: UseQueryArgs<Variables, Data>): Refreshable<Data> {
  const [{ data, error, stale, fetching }, ask] = useQuery(args);
  const busy = useRef(false);
  const again = useRef(false);
  useEffect(() => {
    busy.current = fetching || stale;
    if (again.current && !busy.current) {
      again.current = false;
      ask({ requestPolicy: 'network-only' });
    }
  }, [fetching, stale, ask]);
  const refresh = useCallback(() => {
    if (busy.current) {
      again.current = true;
    } else {
      ask({ requestPolicy: 'network-only' });
    }
  }, [ask]);
  return { data, error, stale, refresh };
}
