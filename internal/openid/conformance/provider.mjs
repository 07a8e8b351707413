// An OpenID Connect provider for tests, by the npm package oidc-provider. Started as `node provider.mjs REDIRECT ISSUER...`, it
// serves each issuer to requests for its host, all with the same keys, and prints the port on which it listens. Whoever signs
// in types a name and nothing else. POST /rotate replaces the keys.
import { generateKeyPair, randomUUID } from 'node:crypto';
import http from 'node:http';
import { promisify } from 'node:util';
import { Provider } from 'oidc-provider';

const [redirect, ...issuers] = process.argv.slice(2);

const clients = ['afterimage', 'another'].map((id) => ({
  client_id: id,
  client_secret: `secret of ${id}`,
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: [redirect],
}));

/** The claims of a name, which is the subject: the address in it, if there is one. */
function claimsOf(name) {
  const email = name.split(' ').find((word) => word.includes('@'));
  return { sub: name, name: `Who is ${name}`, ...(email && { email, email_verified: true }) };
}

async function newKeys() {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' }] };
}

function newProvider(issuer, jwks) {
  return new Provider(issuer, {
    clients,
    jwks,
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false, // the ID token has the claims of its scopes
    cookies: { keys: ['tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, name) => ({ accountId: name, claims: () => claimsOf(name) }),
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  });
}

let providers = {};

async function rotate() {
  const jwks = await newKeys();
  providers = Object.fromEntries(issuers.map((issuer) => [new URL(issuer).host, newProvider(issuer, jwks)]));
}

/** The page on which somebody signs in: a form with a name. */
async function interact(provider, request, response) {
  if (request.method === 'GET') {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Provider</title><form method="post"><input name="login" autofocus><button>Continue</button></form>');
    return;
  }
  let body = '';
  for await (const chunk of request) {
    body += chunk;
  }
  const name = new URLSearchParams(body).get('login');
  const result = name === '' ? { error: 'access_denied', error_description: 'no name' } : { login: { accountId: name } };
  await provider.interactionFinished(request, response, result);
}

await rotate();
const server = http.createServer(async (request, response) => {
  try {
    const provider = providers[request.headers.host];
    if (request.url === '/rotate') {
      await rotate();
      response.end();
    } else if (request.url.startsWith('/interaction/')) {
      await interact(provider, request, response);
    } else {
      provider.callback()(request, response);
    }
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit(0)).resume(); // ends with whoever started it
