// The pages of people: signs in with a passkey or a provider, and registers one of them for an invitation, a link or the user
// who is signed in.
const page = document.body.dataset.page;
const link = location.hash.slice(1);
const next = new URLSearchParams(location.search).get('next') ?? '';
const buttons = [...document.querySelectorAll('button')];
const problem = document.getElementById('problem');
const about = document.getElementById('about');
const nameField = document.getElementById('name');

function tell(message) {
  problem.textContent = message;
  problem.hidden = message === '';
}

function enable(enabled) {
  for (const button of buttons) {
    button.disabled = !enabled;
  }
}

async function ask(what, content) {
  const response = await fetch('/people/' + what, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Afterimage-Client': 'people' },
    credentials: 'same-origin',
    body: JSON.stringify({ page, link, next, name: nameField ? nameField.value.trim() : '', ...content }),
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(answer.message);
  }
  return answer;
}

function bytes(text) {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (c) => c.charCodeAt(0));
}

function text(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The answer of an authenticator in the form that servers read. */
function shown(credential) {
  const response = {};
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
    if (credential.response[name]) {
      response[name] = text(credential.response[name]);
    }
  }
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type, response };
}

async function useAuthenticator(options) {
  options.challenge = bytes(options.challenge);
  if (page === 'signin') {
    return navigator.credentials.get({ publicKey: options });
  }
  options.user.id = bytes(options.user.id);
  for (const known of options.excludeCredentials ?? []) {
    known.id = bytes(known.id);
  }
  return navigator.credentials.create({ publicKey: options });
}

async function usePasskey() {
  const { attempt, options } = await ask('begin', {});
  const credential = await useAuthenticator(options);
  location.replace((await ask('finish', { attempt, response: shown(credential) })).next);
}

async function useProvider() {
  location.assign((await ask('provider', {})).next);
}

/** Brings the server what the provider sent along, and takes it out of the address first. */
async function comeBack() {
  const sent = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  const [attempt, code, issuer, error] = ['state', 'code', 'iss', 'error'].map((name) => sent.get(name) ?? '');
  location.replace((await ask('return', { attempt, code, issuer, error })).next);
}

function explain(error) {
  switch (error.name) {
    case 'NotAllowedError':
      return 'No passkey was used. Try again.';
    case 'InvalidStateError':
      return 'Your authenticator already has a passkey for this user. Sign in with it, or use another authenticator.';
    default:
      return error.message;
  }
}

async function run(action) {
  if (nameField && nameField.value.trim() === '') {
    tell('Enter your name, as others will see it.');
    nameField.focus();
    return;
  }
  enable(false);
  tell('');
  try {
    await action();
  } catch (error) {
    tell(explain(error));
    enable(true);
  }
}

/** Tells what the link is for, and lets it be used. */
async function begin() {
  if (page === 'oidc') {
    await comeBack();
    return;
  }
  const known = await ask('look', {});
  if (page === 'join') {
    about.textContent = `${known.account} invites ${known.email} to join the account as ${known.role}.`;
  } else if (page === 'passkey') {
    about.textContent = `You will be able to sign in as ${known.name} (${known.email}).`;
  }
  enable(true);
}

document.getElementById('passkey')?.addEventListener('click', () => void run(usePasskey));
document.getElementById('provider')?.addEventListener('click', () => void run(useProvider));
document.getElementById('token')?.setAttribute('href', '/signin/' + location.search);
addEventListener('pageshow', (event) => event.persisted && enable(true)); // back from the provider
try {
  await begin();
} catch (error) {
  tell(explain(error));
}
