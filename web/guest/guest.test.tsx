import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';

interface Sent {
  path: string;
  body: Record<string, unknown>;
  language: string | undefined;
}

let sent: Sent[];
let answers: Record<string, () => Response>;

beforeEach(() => {
  sent = [];
  answers = {};
  vi.stubGlobal('fetch', (path: string, init: { body: string; headers: Record<string, string> }) => {
    sent.push({ path, body: JSON.parse(init.body) as Record<string, unknown>, language: init.headers['Accept-Language'] });
    const answer = answers[path];
    return answer === undefined ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(answer());
  });
});

/** The parts of the page in the language that the program has written it in: they ask for it as soon as they are loaded. */
async function inLanguage(language: 'en' | 'de') {
  document.documentElement.lang = language;
  vi.resetModules();
  const [{ AcceptChange }, { Decide }] = await Promise.all([import('./AcceptChange'), import('./Decide')]);
  return { AcceptChange, Decide, user: userEvent.setup() };
}

const change = { slot: 's1', fingerprint: 'f1', open: 8, accepted: false };
const verdict = (more: object = {}) => Response.json({ changed: ['c1', 'c2'], stillOpen: 0, since: 0, review: 'r1', ...more });

describe('a guest', () => {
  test('approves a change everywhere, under a name given once, and takes it back', async () => {
    const { AcceptChange, user } = await inLanguage('en');
    const shown = vi.fn<(comparisons: readonly string[], approved: boolean) => void>();
    answers['/b/link/accept'] = () => verdict({ stillOpen: 2 });
    answers['/b/link/undo'] = () => verdict();
    render(<AcceptChange batch="/b/link" change={change} onChanged={shown} />);
    await user.click(screen.getByRole('button', { name: 'Approve everywhere' }));
    expect(sent).toEqual([]);
    const name = screen.getByRole('textbox', { name: 'Your name' });
    await user.type(name, '  ');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(sent).toEqual([]);
    await user.type(name, 'Kim <b>');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('status')).toHaveTextContent('Approved: 2 pages. 2 pages have other changes and remain open.');
    expect(shown).toHaveBeenLastCalledWith(['c1', 'c2'], true);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Approve everywhere' })).toBeVisible();
    expect(shown).toHaveBeenLastCalledWith(['c1', 'c2'], false);
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      ['/b/link/accept', { name: 'Kim <b>', fingerprint: 'f1' }],
      ['/b/link/undo', { name: 'Kim <b>', review: 'r1' }],
    ]);
  });

  test('is told what others decided', async () => {
    const { AcceptChange } = await inLanguage('en');
    const { rerender } = render(<AcceptChange batch="/b/link" change={{ ...change, open: 0 }} onChanged={() => undefined} />);
    expect(screen.getByText('Reviewed on all pages')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Approve/ })).toBeNull();
    rerender(<AcceptChange batch="/b/link" change={{ ...change, accepted: true }} onChanged={() => undefined} />);
    expect(screen.getByText('Approved. Pages with other changes remain open.')).toBeVisible();
  });

  test('decides about a page, comments, and is known the next time', async () => {
    window.localStorage.setItem('afterimage.guestName', 'Kim');
    const { Decide, user } = await inLanguage('en');
    const status = vi.fn<(words: string) => void>();
    answers['/c/1/verdict'] = () => verdict();
    answers['/c/1/comment'] = () => Response.json({ author: 'Kim', guest: true, text: '<i>Wrong</i> hours', at: '2026-01-01T00:00:00Z' });
    render(<Decide guest={{ batch: '/b/link', actions: '/c/1', status: 'new', comments: [] }} onStatus={status} />);
    await user.click(screen.getByRole('button', { name: 'To be fixed' }));
    expect(await screen.findByRole('button', { name: 'To be fixed', pressed: true })).toBeVisible();
    expect(status).toHaveBeenLastCalledWith('To be fixed');
    await user.click(screen.getByRole('button', { name: 'Comments' }));
    expect(screen.getByText('No comments yet.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Comment' })).toBeDisabled();
    await user.type(screen.getByRole('textbox', { name: 'Your comment' }), '<i>Wrong</i> hours');
    await user.click(screen.getByRole('button', { name: 'Comment' }));
    const talk = screen.getByRole('complementary', { name: 'Comments' });
    expect(await within(talk).findByText('<i>Wrong</i> hours')).toBeVisible();
    expect(talk).toHaveTextContent('Kim (guest, name not verified)');
    expect(screen.getByRole('button', { name: 'Comments (1)' })).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Your comment' })).toHaveValue('');
  });

  test('is told why something was not done: by the service, without it, and because somebody was faster', async () => {
    window.localStorage.setItem('afterimage.guestName', 'Kim');
    const { Decide, user } = await inLanguage('en');
    render(<Decide guest={{ batch: '/b/link', actions: '/c/1', status: 'new' }} onStatus={() => undefined} />);
    const approve = screen.getByRole('button', { name: 'Approve' });
    await user.click(approve);
    expect(await screen.findByRole('alert')).toHaveTextContent('The service cannot be reached.');
    answers['/c/1/verdict'] = () => Response.json({ message: 'The link was replaced: ask for a new one.' }, { status: 404 });
    await user.click(approve);
    await expect.poll(() => screen.getByRole('alert').textContent).toBe('The link was replaced: ask for a new one.');
    answers['/c/1/verdict'] = () => new Response('<html>', { status: 502 });
    await user.click(approve);
    await expect.poll(() => screen.getByRole('alert').textContent).toBe('This could not be saved. Please try again later.');
    answers['/c/1/verdict'] = () => verdict();
    answers['/b/link/undo'] = () => verdict({ since: 1 });
    await user.click(approve);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await expect
      .poll(() => screen.queryByRole('alert')?.textContent)
      .toBe('Someone has reviewed this page in the meantime. Reload it to see its current status.');
    expect(screen.getByRole('button', { name: 'Approve', pressed: true })).toBeVisible();
  });

  test('is addressed in German where the page is, and asks for answers in it', async () => {
    const { AcceptChange, user } = await inLanguage('de');
    answers['/b/link/accept'] = () => verdict({ changed: ['c1'], stillOpen: 1 });
    render(<AcceptChange batch="/b/link" change={change} onChanged={() => undefined} />);
    await user.click(screen.getByRole('button', { name: 'Überall freigeben' }));
    await user.type(screen.getByRole('textbox', { name: 'Ihr Name' }), 'Kim{Enter}');
    expect(await screen.findByRole('status')).toHaveTextContent('Freigegeben: 1 Seite. 1 Seite hat weitere Änderungen und bleibt offen.');
    expect(sent[0]?.language).toBe('de');
  });
});
