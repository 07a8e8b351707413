import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { startSignIn } from './page';

const { body } = new DOMParser().parseFromString(readFileSync(join(import.meta.dirname, 'index.html'), 'utf8'), 'text/html');

interface Request {
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

let asked: Request[];
const exit = { assign: vi.fn<(to: string | URL) => void>(), replace: vi.fn<(to: string | URL) => void>() };

/** Opens the page at an address, with a server that answers like this to each path. */
function open(address: string, answers: Readonly<Record<string, () => Response>>) {
  window.history.replaceState(null, '', address);
  document.body.innerHTML = body.innerHTML;
  vi.stubGlobal('fetch', (url: string | URL, init: { body?: string; headers?: Record<string, string> }) => {
    const { pathname } = new URL(url, window.location.href);
    asked.push({ path: pathname, body: JSON.parse(init.body ?? 'null'), headers: init.headers ?? {} });
    const answer = answers[pathname];
    return answer === undefined ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(answer());
  });
  startSignIn(exit);
  return userEvent.setup();
}

const status = (code: number) => () => new Response(null, { status: code });
const offering = (methods: object) => ({ '/people/methods': () => Response.json(methods) });

async function signIn(user: ReturnType<typeof open>) {
  await user.type(screen.getByLabelText('API token'), ' secret ');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

beforeEach(() => {
  asked = [];
  exit.assign.mockReset();
  exit.replace.mockReset();
});

describe('the sign-in page', () => {
  test.each([
    ['/signin/', '/'],
    ['/signin/?next=/runs/b1%3Fview%3Dpages', '/runs/b1?view=pages'],
    ['/signin/?next=//evil.example.com/', '/'],
    [String.raw`/signin/?next=/\evil.example.com`, '/'],
    ['/signin/?next=https://evil.example.com/', '/'],
  ])('leads from %s to %s, and never elsewhere', async (address, to) => {
    const user = open(address, { '/session': status(204) });
    await signIn(user);
    await expect.poll(() => exit.replace.mock.calls).toEqual([[new URL(to, window.location.href)]]);
    const [request] = asked.filter(({ path }) => path === '/session');
    expect(request).toMatchObject({ body: { token: 'secret' }, headers: { 'X-Afterimage-Client': 'signin' } });
  });

  test.each([
    [401, 'This token is invalid.'],
    [429, 'Too many attempts. Wait a minute, then try again.'],
    [503, 'The server cannot reach its database right now.'],
    [500, 'Sign-in failed: the server answered 500.'],
  ])('explains the answer %i, and lets the token be corrected', async (code, words) => {
    const user = open('/signin/', { '/session': status(code) });
    await signIn(user);
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    const token = screen.getByLabelText('API token');
    expect(token).toHaveAttribute('aria-invalid', 'true');
    expect(token).toHaveAccessibleDescription(new RegExp(words));
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeEnabled();
    await user.type(token, 'x');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(exit.replace).not.toHaveBeenCalled();
  });

  test('says that nobody answers', async () => {
    await signIn(open('/signin/', {}));
    expect(await screen.findByRole('alert')).toHaveTextContent('The server did not respond.');
  });

  test('shows the token on request', async () => {
    const user = open('/signin/', {});
    const token = screen.getByLabelText('API token');
    expect(token).toHaveAttribute('type', 'password');
    await user.click(screen.getByRole('button', { name: 'Show', pressed: false }));
    expect(token).toHaveAttribute('type', 'text');
    expect(token).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Hide', pressed: true }));
    expect(token).toHaveAttribute('type', 'password');
  });

  test('offers the provider that there is, and tells why it cannot be reached', async () => {
    const user = open('/signin/?next=/rules', {
      ...offering({ provider: 'Example ID' }),
      '/people/provider': () => Response.json({ message: 'Example ID does not answer.' }, { status: 502 }),
    });
    const button = await screen.findByRole('button', { name: 'Sign in with Example ID' });
    await user.click(button);
    expect(await screen.findByRole('alert')).toHaveTextContent('Example ID does not answer.');
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ next: 'https://id.example.com/authorize' })));
    await user.click(button);
    await expect.poll(() => exit.assign.mock.calls).toEqual([['https://id.example.com/authorize']]);
    expect(asked.at(-1)).toMatchObject({ path: '/people/provider', body: { page: 'signin', next: '/rules' } });
    expect(screen.getByRole('link', { name: 'Sign in with a passkey instead' })).toHaveAttribute(
      'href',
      expect.stringContaining('next=/rules'),
    );
  });

  test('goes on by itself where somebody is signed in and only came by a link', async () => {
    open('/signin/?next=/rules', offering({ provider: '', signedIn: true }));
    await expect.poll(() => exit.replace.mock.calls).toEqual([[new URL('/rules', window.location.href)]]);
  });

  test('signs in by the code of a link, which leaves the address at once and works once', async () => {
    open('/signin/#code=once', { '/session': status(401) });
    expect(window.location.hash).toBe('');
    expect(await screen.findByRole('alert')).toHaveTextContent('This sign-in link has already been used');
    expect(asked.find(({ path }) => path === '/session')?.body).toEqual({ code: 'once' });
  });
});
