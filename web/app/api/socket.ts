import { createClient } from 'graphql-ws';

/**
 * One socket for all subscriptions. It carries the session's cookie and opens
 * with the first of them. It never reconnects by itself: it would ask again for
 * what was received already. Whoever follows something reconnects (see live.ts).
 */
export const socket = createClient({
  url: `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}/graphql`,
  lazy: true,
  keepAlive: 12_000,
  retryAttempts: 0,
});

/** Whether the server closed the socket because the session may no longer use it. */
export function isRefusal(problem: unknown): boolean {
  const code = typeof problem === 'object' && problem !== null && 'code' in problem ? problem.code : 0;
  return code === 4401 || code === 4403;
}
