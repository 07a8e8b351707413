import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { show } from '../../testing/show';
import { preferredLanguage } from '../i18n';

const answers = { batches: { pageInfo: { hasNextPage: false } }, feedbackRules: {} };

afterEach(() => vi.restoreAllMocks());

describe('around every screen', () => {
  test('g and a letter go to a screen; ? lists all keys, and keys are for the list then', async () => {
    const { user, address } = await show('/runs', answers);
    await screen.findByText('No runs');
    await user.keyboard('?');
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(within(dialog).getByText('Approve')).toBeVisible();
    await user.keyboard('gm');
    expect(address()).toBe('/runs');
    await user.keyboard('{Escape}');
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    await user.keyboard('gm');
    await expect.poll(address).toBe('/settings/account');
  });

  test('a session that has ended is said, and what was shown stays', async () => {
    const { server, user } = await show('/runs', answers);
    await screen.findByText('No runs');
    server.status = 401;
    await user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'x');
    const dialog = await screen.findByRole('dialog', { name: 'You are signed out' });
    expect(dialog).toHaveTextContent('All decisions so far are saved.');
    expect(within(dialog).getByRole('button', { name: 'Sign in' })).toBeVisible();
  });

  test('a connection that is lost is said after a while', async () => {
    const { server } = await show('/runs', answers);
    await screen.findByText('No runs');
    await server.hangUp();
    expect(await screen.findByText('Connection lost. The data shown may be out of date; reconnecting…')).toBeVisible();
    await server.tell({ number: 1 });
    await expect.poll(() => screen.queryByText(/Connection lost/)).toBeNull();
  });

  test('an address of no screen leads Home', async () => {
    await show('/nowhere', answers);
    expect(await screen.findByText('There is nothing at this address')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to Home' })).toHaveAttribute('href', '/');
  });

  test.each([
    [['de-DE', 'en'], undefined, 'de'],
    [['fr', 'de'], undefined, 'de'],
    [['fr'], undefined, 'en'],
    [['de'], 'en', 'en'],
  ])('to a browser that wants %s and somebody who chose %s it speaks %s', (languages, chosen, spoken) => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
    if (chosen !== undefined) {
      window.localStorage.setItem('afterimage.language', chosen);
    }
    expect(preferredLanguage()).toBe(spoken);
  });
});
