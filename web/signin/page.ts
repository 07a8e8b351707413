import { destination } from './destination';
import { leaveForProvider, methods, startSession } from './session';

/** The element of the given id and type; a missing one is a fault of the page. */
function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) {
    throw new Error(`signin/index.html has no ${type.name} with the id "${id}".`);
  }
  return found;
}

/** How the page is left; the browser's location, unless in a test. */
export type Exit = Pick<Location, 'assign' | 'replace'>;

/** Makes the page work that signin/index.html describes. */
export function startSignIn(exit: Exit): void {
  const form = element('signin', HTMLFormElement);
  const input = element('token', HTMLInputElement);
  const submit = element('submit', HTMLButtonElement);
  const provider = element('provider', HTMLButtonElement);
  element('passkey', HTMLAnchorElement).search = window.location.search;
  letReveal(input);
  input.addEventListener('input', () => show(input, ''));

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void (async () => {
      submit.disabled = true;
      show(input, '');
      const message = await startSession(form.action, { token: input.value.trim() });
      submit.disabled = false;
      if (message === '') {
        exit.replace(destination());
        return;
      }
      show(input, message);
      input.select();
    })();
  });

  provider.addEventListener('click', () => {
    void (async () => {
      provider.disabled = true;
      show(input, '');
      try {
        exit.assign(await leaveForProvider());
      } catch (error) {
        show(input, error instanceof Error ? error.message : String(error));
        provider.disabled = false;
      }
    })();
  });

  void followLink(form, input, exit);
  void offerMethods(provider, exit);
}

function show(input: HTMLInputElement, message: string): void {
  const problem = element('problem', HTMLParagraphElement);
  problem.textContent = message;
  problem.hidden = message === '';
  input.setAttribute('aria-invalid', String(message !== ''));
}

function letReveal(input: HTMLInputElement): void {
  const reveal = element('reveal', HTMLButtonElement);
  reveal.addEventListener('click', () => {
    const visible = input.type === 'password';
    input.type = visible ? 'text' : 'password';
    reveal.textContent = visible ? 'Hide' : 'Show';
    reveal.setAttribute('aria-pressed', String(visible));
    input.focus();
  });
}

/** Signs in by the code of a link, which works once and goes from the address at once. */
async function followLink(form: HTMLFormElement, input: HTMLInputElement, exit: Exit): Promise<void> {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code');
  if (code === null) {
    return;
  }
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  const message = await startSession(form.action, { code });
  if (message === '') {
    exit.replace(destination());
    return;
  }
  show(input, message);
}

async function offerMethods(provider: HTMLButtonElement, exit: Exit): Promise<void> {
  const { provider: name, signedIn } = await methods();
  // Browsers do not send the cookie along with a click on a page of others, such as a mail: whoever is signed in was sent here
  // for that reason alone, and goes on.
  if (signedIn && window.location.search.includes('next=')) {
    exit.replace(destination());
    return;
  }
  provider.textContent = `Sign in with ${name}`;
  provider.hidden = name === '';
}
