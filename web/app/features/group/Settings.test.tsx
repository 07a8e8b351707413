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
  gateRules: {
    alert: 'ROLL_BACK',
    notSure: 'ASK',
    scriptErrors: 'BY_EXTENT',
    failedResources: 'BY_EXTENT',
    missingPages: 'ROLL_BACK',
    mustBeFine: ['shop', 'checkout'],
  },
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
    expect(input).not.toHaveProperty('gateRules');
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

  test('name the flow of the website that signs in', async () => {
    const flows = {
      nodes: [
        { id: 'f1', name: 'Checkout' },
        { id: 'f2', name: 'Sign in' },
      ],
    };
    const group = { ...shop, websiteId: 'w1', signInFlow: { id: 'f1', name: 'Checkout' } };
    const { server, user } = await show(settings, { group, flows, updateGroup: { group } });
    const flow = await screen.findByRole('combobox', { name: 'Sign-in flow' });
    expect(flow).toHaveDisplayValue('Checkout');
    await screen.findByRole('option', { name: 'Sign in' });
    await user.selectOptions(flow, 'Sign in');
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    await screen.findByText('The settings were saved');
    await user.selectOptions(flow, 'None');
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    await expect
      .poll(() => server.variablesOf('UpdateGroup'))
      .toMatchObject([{ input: { signInFlowId: 'f2' } }, { input: { signInFlowId: null } }]);
    expect(server.variablesOf('SignInFlows')).toEqual([{ websiteId: 'w1' }]);
  });

  test('offer no sign-in flow without a website, in German', async () => {
    await show(settings, { group: { ...shop, websiteId: null, signInFlow: null } }, { language: 'de' });
    const flow = await screen.findByRole('combobox', { name: 'Anmelde-Ablauf' });
    expect(flow).toBeDisabled();
    expect(flow).toHaveAccessibleDescription(/Nur für Gruppen einer Website/);
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

describe('the rules for updates', () => {
  test('are sent together once one was changed', async () => {
    const { server, user } = await show(settings, { group: shop, updateGroup: { group: shop } });
    const pages = await screen.findByRole('textbox', { name: 'Pages that must be fine' });
    expect(pages).toHaveValue('shop\ncheckout');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Script errors' }), 'Roll the update back');
    await user.type(pages, '{enter}{enter} /tickets/* ');
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    await screen.findByText('The settings were saved');
    expect(server.variablesOf('UpdateGroup')).toMatchObject([
      { input: { gateRules: { ...shop.gateRules, scriptErrors: 'ROLL_BACK', mustBeFine: ['shop', 'checkout', '/tickets/*'] } } },
    ]);
  });

  test('are the default ones again on request, and leave the rest of the form as it is', async () => {
    const own = { ...shop, gateRules: { ...shop.gateRules, alert: 'ASK', mustBeFine: [] } };
    const { server, user } = await show(settings, { group: own, updateGroup: { group: shop } });
    expect(await screen.findByRole('combobox', { name: 'Damage' })).toHaveValue('ASK');
    await user.type(screen.getByRole('textbox', { name: 'Name' }), ' 2');
    await user.click(screen.getByRole('button', { name: 'Restore default rules' }));
    await expect.poll(() => screen.getByRole('combobox', { name: 'Damage' })).toHaveValue('ROLL_BACK');
    expect(server.variablesOf('UpdateGroup')).toEqual([{ id: 'g1', input: { gateRules: null } }]);
    expect(screen.getByRole('textbox', { name: 'Pages that must be fine' })).toHaveValue('shop\ncheckout');
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Shop 2');
  });

  test('that are refused are told at their fields', async () => {
    const { user } = await show(settings, {
      group: shop,
      updateGroup: () => {
        throw refused('INVALID', 'invalid', { 'input.gateRules.mustBeFine.1': 'must be a part of a path' });
      },
    });
    await user.click(await screen.findByRole('button', { name: /^Save/ }));
    await expect
      .poll(() => screen.getByRole('textbox', { name: 'Pages that must be fine' }))
      .toHaveAccessibleDescription(/must be a part of a path/);
  });

  test('are only read by somebody who may not edit, in German', async () => {
    await show(settings, { group: shop }, { may: ['READ'], language: 'de' });
    const errors = await screen.findByRole('combobox', { name: 'Skriptfehler' });
    expect(errors).toBeDisabled();
    expect(errors).toHaveDisplayValue('Zurücknehmen, wenn die meisten Seiten betroffen sind, sonst nachfragen');
    expect(screen.queryByRole('button', { name: 'Standardregeln wiederherstellen' })).toBeNull();
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
