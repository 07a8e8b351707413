import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
import { createClient } from 'graphql-ws';

/**
 * A page of another origin cannot set this header without a preflight that
 * the server never grants. The server takes cookie-authenticated requests
 * only with it, so a foreign form or image cannot act as the signed-in user.
 */
const clientHeader = { 'X-Afterimage-Client': 'graphiql' };

const endpoint = new URL('../graphql', window.location.href);
const signInPage = new URL('../signin/', window.location.href);
const sessionEndpoint = new URL('../session', window.location.href);

/** Goes to the sign-in page, which leads back here afterwards. */
function signIn(): void {
  signInPage.searchParams.set('next', window.location.pathname);
  window.location.assign(signInPage);
}

/** fetch that treats 401 as what it is here: the session has ended. */
async function sessionFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await window.fetch(input, { ...init, credentials: 'same-origin' });
  if (response.status === 401) {
    signIn();
  }
  return response;
}

/**
 * Ends the session (DELETE /session) and returns to the sign-in page.
 * A session that is already gone (401) counts as ended.
 */
export async function signOut(): Promise<void> {
  const response = await window.fetch(sessionEndpoint, {
    method: 'DELETE',
    headers: clientHeader,
    credentials: 'same-origin',
  });
  if (!response.ok && response.status !== 401) {
    throw new Error(`Signing out failed: the server answered ${response.status}.`);
  }
  window.location.assign(signInPage);
}

/**
 * Queries and mutations go by POST, subscriptions over one WebSocket that
 * speaks graphql-transport-ws. The socket is opened with the first
 * subscription and carries the session cookie; no token passes through here.
 */
export function createFetcher(): Fetcher {
  const socketURL = new URL(endpoint);
  socketURL.protocol = endpoint.protocol === 'https:' ? 'wss:' : 'ws:';
  return createGraphiQLFetcher({
    url: endpoint.href,
    fetch: sessionFetch,
    headers: clientHeader,
    // The API has no @defer or @stream, so plain JSON answers suffice.
    enableIncrementalDelivery: false,
    wsClient: createClient({
      url: socketURL.href,
      lazy: true,
      keepAlive: 15_000,
      retryAttempts: 3,
    }),
  });
}
