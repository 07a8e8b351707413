// The sign-in page: exchanges an API token for a session cookie that scripts
// cannot read. Without JavaScript the form still posts to the same address.

/** Where to go when the address names no page of ours. */
const home = new URL('../', window.location.href);

/** The page to return to: `?next=` if it is on this origin, else the dashboard. */
function destination(): URL {
  const next = new URLSearchParams(window.location.search).get('next');
  if (next === null || !next.startsWith('/')) {
    return home;
  }
  try {
    // Resolving and comparing origins also catches //host and /\host.
    const url = new URL(next, window.location.origin);
    return url.origin === window.location.origin ? url : home;
  } catch {
    return home;
  }
}

const usedLink = 'This sign-in link was used already, or it is too old. Sign in with the API token.';

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
async function startSession(action: string, credential: { token: string } | { code: string }): Promise<string> {
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
interface Methods {
  provider: string;
  signedIn: boolean;
}

/** Asks the server for it; a server that does not answer offers nothing. */
async function methods(): Promise<Methods> {
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

/** Begins a sign-in with the provider. Returns its address, or throws what to tell the visitor. */
async function leaveForProvider(): Promise<string> {
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

/** The element of the given id and type; a missing one is a fault of the page. */
function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) {
    throw new Error(`signin/index.html has no ${type.name} with the id "${id}".`);
  }
  return found;
}

const form = element('signin', HTMLFormElement);
const input = element('token', HTMLInputElement);
const reveal = element('reveal', HTMLButtonElement);
const submit = element('submit', HTMLButtonElement);
const problem = element('problem', HTMLParagraphElement);
const provider = element('provider', HTMLButtonElement);

element('passkey', HTMLAnchorElement).search = window.location.search;

function show(message: string): void {
  problem.textContent = message;
  problem.hidden = message === '';
  input.setAttribute('aria-invalid', String(message !== ''));
}

reveal.addEventListener('click', () => {
  const visible = input.type === 'password';
  input.type = visible ? 'text' : 'password';
  reveal.textContent = visible ? 'Hide' : 'Show';
  reveal.setAttribute('aria-pressed', String(visible));
  input.focus();
});

input.addEventListener('input', () => show(''));

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void (async () => {
    submit.disabled = true;
    show('');
    const message = await startSession(form.action, { token: input.value.trim() });
    submit.disabled = false;
    if (message === '') {
      window.location.replace(destination());
      return;
    }
    show(message);
    input.select();
  })();
});

provider.addEventListener('click', () => {
  void (async () => {
    provider.disabled = true;
    show('');
    try {
      window.location.assign(await leaveForProvider());
    } catch (error) {
      show(error instanceof Error ? error.message : String(error));
      provider.disabled = false;
    }
  })();
});

/** Signs in by the code of a link, which works once and goes from the address at once. */
async function followLink(): Promise<void> {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code');
  if (code === null) {
    return;
  }
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  const message = await startSession(form.action, { code });
  if (message === '') {
    window.location.replace(destination());
    return;
  }
  show(message);
}

void followLink();
void methods().then(({ provider: name, signedIn }) => {
  // Browsers do not send the cookie along with a click on a page of others, such as a mail: whoever is signed in was sent here
  // for that reason alone, and goes on.
  if (signedIn && window.location.search.includes('next=')) {
    window.location.replace(destination());
    return;
  }
  provider.textContent = `Sign in with ${name}`;
  provider.hidden = name === '';
});
