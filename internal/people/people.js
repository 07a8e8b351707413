// The pages of people: signs in with a passkey, and registers one for an invitation, a link or the user who is signed in.
const page = document.body.dataset.page;
const link = location.hash.slice(1);
const go = document.getElementById('go');
const problem = document.getElementById('problem');
const about = document.getElementById('about');
const nameField = document.getElementById('name');

function tell(message) {
  problem.textContent = message;
  problem.hidden = message === '';
}

async function ask(what, content) {
  const response = await fetch('/people/' + what, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Afterimage-Client': 'people' },
    credentials: 'same-origin',
    body: JSON.stringify({ page, link, name: nameField ? nameField.value.trim() : '', ...content }),
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

async function run() {
  if (nameField && nameField.value.trim() === '') {
    tell('Enter your name, as others will see it.');
    nameField.focus();
    return;
  }
  go.disabled = true;
  tell('');
  try {
    const { attempt, options } = await ask('begin', {});
    const credential = await useAuthenticator(options);
    const { next } = await ask('finish', { attempt, response: shown(credential) });
    location.replace(next);
  } catch (error) {
    tell(error.name === 'NotAllowedError' ? 'No passkey was used. Try again.' : error.message);
    go.disabled = false;
  }
}

go.addEventListener('click', () => void run());
try {
  const known = await ask('look', {});
  if (page === 'join') {
    about.textContent = `${known.account} invites ${known.email} to become a user of the account, with the role ${known.role}.`;
  } else if (page === 'passkey') {
    about.textContent = `The passkey will be for ${known.name} (${known.email}).`;
  }
  go.disabled = false;
} catch (error) {
  tell(error.message);
}
