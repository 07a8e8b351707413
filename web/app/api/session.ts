// The session is a cookie that scripts cannot read. This file knows how to
// leave for the sign-in page, and how to end the session.
import { Store } from './store';

/**
 * A page of another origin cannot set this header without a preflight that the
 * server never grants. The server takes requests with a cookie only with it.
 */
export const clientHeader = { 'X-Afterimage-Client': 'dashboard' };

/** Whether the server no longer knows the session, although the page is open. */
export const sessionEnded = new Store(false);

/** Goes to the sign-in page, which leads back to where the user is. */
export function goToSignIn(): void {
  const { pathname, search } = window.location;
  window.location.assign(`/signin/?next=${encodeURIComponent(pathname + search)}`);
}

/** How long an answer may take, in milliseconds. The server gives up after 30 s: what takes longer was lost on the way. */
const patience = 45_000;

/**
 * fetch that treats 401 as what it is here: the session has ended. A request that nobody waits for any more is not
 * aborted: the client leaves the rejection of one unhandled, and the answer is small.
 */
export async function sessionFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { signal: _, ...request } = init;
  const response = await window.fetch(input, { ...request, credentials: 'same-origin', signal: AbortSignal.timeout(patience) });
  if (response.status === 401) {
    sessionEnded.set(true);
  }
  return response;
}

/** Ends the session on the server; one that has ended already counts as ended. */
export async function signOut(): Promise<void> {
  const response = await window.fetch('/session', { method: 'DELETE', headers: clientHeader, credentials: 'same-origin' });
  if (!response.ok && response.status !== 401) {
    throw new Error(`The server answered ${response.status}.`);
  }
  window.location.assign('/signin/');
}
