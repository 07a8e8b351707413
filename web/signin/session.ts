import { destination } from './destination';

const usedLink = 'This sign-in link has already been used or has expired. Sign in with the API token.';

/** What to tell the visitor about an answer that is not a success. */
function explain(response: Response): string {
  switch (response.status) {
    case 401:
    case 422:
      return 'This token is invalid. Check that you copied it completely and that it has not been revoked.';
    case 429:
      return 'Too many attempts. Wait a minute, then try again.';
    case 503:
      return 'The server cannot reach its database right now. Try again shortly.';
    default:
      return `Sign-in failed: the server answered ${response.status}. See its log for the reason.`;
  }
}

/** Posts a token, or the code of a link. Returns the empty string on success, else the problem in words. */
export async function startSession(action: string, credential: { token: string } | { code: string }): Promise<string> {
  try {
    const response = await fetch(action, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'X-Afterimage-Client': 'signin',
      },
      credentials: 'same-origin',
      body: JSON.stringify(credential),
    });
    return response.ok ? '' : 'code' in credential && response.status === 401 ? usedLink : explain(response);
  } catch {
    return 'The server did not respond. Check your connection, then try again.';
  }
}

/** How people sign in here without a token, and whether this browser is signed in. */
export interface Methods {
  provider: string;
  signedIn: boolean;
}

/** Asks the server for it; a server that does not answer offers nothing. */
export async function methods(): Promise<Methods> {
  try {
    const response = await fetch(new URL('../people/methods', window.location.href), { credentials: 'same-origin' });
    const answer: unknown = response.ok ? await response.json() : null;
    if (typeof answer === 'object' && answer !== null && 'provider' in answer && typeof answer.provider === 'string') {
      return { provider: answer.provider, signedIn: 'signedIn' in answer && answer.signedIn === true };
    }
  } catch {
    // The token still works.
  }
  return { provider: '', signedIn: false };
}

/** Begins a sign-in with the provider. Returns the provider's address, or throws what to tell the visitor. */
export async function leaveForProvider(): Promise<string> {
  const response = await fetch(new URL('../people/provider', window.location.href), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Afterimage-Client': 'signin' },
    credentials: 'same-origin',
    body: JSON.stringify({ page: 'signin', next: destination().pathname + destination().search }),
  });
  const answer = (await response.json()) as { next?: string; message?: string };
  if (!response.ok || answer.next === undefined) {
    throw new Error(answer.message ?? explain(response));
  }
  return answer.next;
}
