import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { refused } from '../../../testing/server';
import { show } from '../../../testing/show';

const shop = {
  id: 'g1',
  name: 'Shop',
  monitoring: true,
  enabled: true,
  urlsCount: 2,
  selectedUrlsCount: 2,
  selectedChecksCount: 4,
  threshold: 0.5,
  measure: 'ALIGNED',
  screenshotRegion: 'EU',
  proxyType: 'NONE',
  basicAuthUser: 'ada',
  hasBasicAuth: true,
  alertEmails: ['ada@example.com', 'grace@example.com'],
  scheduleType: 'INTERVAL',
  hourOfDay: 6,
  intervalInH: 24,
  nextRuns: ['2026-01-02T06:00:00Z'],
  estimatedMonthlyChecks: 120,
};

const settings = '/groups/g1?tab=settings';
const schedule = '/groups/g1?tab=schedule';

describe('the settings of a group', () => {
  test('are changed as the server takes them; a password that is stored is kept', async () => {
    const { server, user } = await show(settings, { group: shop, updateGroup: { group: { ...shop, name: 'Shop 2' } } });
    const name = await screen.findByRole('textbox', { name: 'Name' });
    expect(screen.getByText('A password is stored. Leave this empty to keep it.')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Alert recipients' })).toHaveValue('ada@example.com\ngrace@example.com');
    await user.clear(name);
    await user.type(name, 'Shop 2');
    await user.click(screen.getByRole('switch', { name: 'Confirm changes' }));
    await user.clear(screen.getByRole('textbox', { name: 'Alert recipients' }));
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    expect(await screen.findByText('The settings were saved')).toBeVisible();
    const [{ input } = {}] = server.variablesOf('UpdateGroup') as { input?: Record<string, unknown> }[];
    expect(input).toMatchObject({ name: 'Shop 2', threshold: 0.5, confirmChanges: true, alertEmails: [], basicAuthUser: 'ada', css: null });
    expect(input).not.toHaveProperty('basicAuthPassword');
    expect(await screen.findByRole('heading', { level: 1, name: 'Shop 2' })).toBeVisible();
  });

  test('without a user there is no password either', async () => {
    const { server, user } = await show(settings, { group: shop, updateGroup: { group: shop } });
    await user.clear(await screen.findByRole('textbox', { name: 'User name' }));
    expect(screen.getByLabelText('Password')).toBeDisabled();
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    await screen.findByText('The settings were saved');
    expect(server.variablesOf('UpdateGroup')).toMatchObject([{ input: { basicAuthUser: null, basicAuthPassword: null } }]);
  });

  test('that are refused are told at their fields', async () => {
    const { user } = await show(settings, {
      group: shop,
      updateGroup: () => {
        throw refused('INVALID', 'invalid', {
          'input.threshold': 'must be between 0 and 100',
          'input.alertEmails.1': 'is no email address',
        });
      },
    });
    await user.click(await screen.findByRole('button', { name: /^Save/ }));
    const threshold = await screen.findByRole('spinbutton', { name: 'Threshold in percent' });
    await expect.poll(() => threshold.getAttribute('aria-invalid')).toBe('true');
    expect(threshold).toHaveAccessibleDescription(/must be between 0 and 100/);
    expect(screen.getByRole('textbox', { name: 'Alert recipients' })).toHaveAccessibleDescription(/is no email address/);
  });

  test('are only read by somebody who may not edit', async () => {
    await show(settings, { group: shop }, { may: ['READ', 'RUN', 'REVIEW'] });
    expect(await screen.findByRole('textbox', { name: 'Name' })).toBeDisabled();
    expect(screen.getByRole('switch', { name: 'Confirm changes' })).toBeDisabled();
    expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull();
  });

  test('speak German', async () => {
    await show(settings, { group: shop }, { language: 'de' });
    expect(await screen.findByRole('spinbutton', { name: 'Schwelle in Prozent' })).toHaveValue(0.5);
    expect(screen.getByRole('link', { name: 'Einstellungen', current: 'page' })).toBeVisible();
  });

  test('of a group that is not there are nowhere', async () => {
    await show(settings, {
      group: () => {
        throw refused('NOT_FOUND', 'There is no such group.');
      },
    });
    expect(await screen.findByText('There is nothing at this address')).toBeVisible();
  });
});

describe('the schedule of a group', () => {
  test('is said in words, also before it is saved', async () => {
    const { server, user } = await show(schedule, { group: shop, updateGroup: { group: { ...shop, monitoring: false, nextRuns: [] } } });
    expect(await screen.findByText(/^Every day at 06:00/)).toBeVisible();
    expect(screen.getByRole('list', { name: /next/i })).toHaveTextContent('Friday, January 2');
    await user.click(screen.getByRole('switch', { name: 'Run on a schedule' }));
    expect(screen.getByText(/^Only on request/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    await expect.poll(() => server.variablesOf('UpdateGroup')).toMatchObject([{ input: { monitoring: false, triggers: [] } }]);
  });
});
