import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { refused } from '../../../testing/server';
import { show } from '../../../testing/show';

const website = {
  id: 'w1',
  domain: 'shop.example.com',
  manualDetectionGroup: { id: 'g1', name: 'Shop' },
  autoDetectionGroup: { id: 'g2', name: 'Shop, monitoring' },
};

const step = { id: '', label: null, selector: null, value: null, sensitive: false, valueSet: false, assertion: null };

const flow = {
  id: 'f1',
  name: 'Checkout',
  url: 'https://shop.example.com/',
  websiteId: 'w1',
  website,
  devices: ['DESKTOP'],
  enabledManual: true,
  enabledMonitoring: false,
  stepsCount: 3,
  checkpointsCount: 1,
  steps: [
    { ...step, id: 's1', type: 'FILL', selector: 'label=Password', sensitive: true, valueSet: true },
    { ...step, id: 's2', type: 'CLICK', selector: 'role=button[name="Buy"] || css=#buy' },
    { ...step, id: 's3', type: 'CHECKPOINT', label: 'Basket' },
  ],
  lastRun: { id: 'r1', status: 'FAILED', createdAt: '2026-01-05T10:00:00Z' },
};

const run = {
  id: 'r1',
  scType: 'POST',
  device: 'DESKTOP',
  status: 'FAILED',
  errorMsg: null,
  pictureLink: 'https://afterimage.example.com/images/window.png',
  createdAt: '2026-01-05T10:00:00Z',
  finishedAt: '2026-01-05T10:00:03Z',
  batchId: 'b1',
  flowId: 'f1',
  flow,
  batch: { id: 'b1', name: 'Shop · after' },
  steps: [
    { ...flow.steps[0], does: 'fill field “Password” with the secret password', status: 'PASSED', durationMs: 240 },
    {
      ...flow.steps[1],
      does: 'click button “Buy” or #buy',
      status: 'FAILED',
      durationMs: 1_800,
      error: 'Button “Buy” or #buy was not found; nearest: “Add to basket”.',
    },
    {
      ...flow.steps[2],
      does: 'picture “Basket”',
      status: 'SKIPPED',
      checkpoint: { baseline: false, queueStatus: 'FAILED', errorMsg: 'Step 2 of the flow failed.' },
    },
  ],
};

const flowRuns = { totalCount: 1, nodes: [run] };

test('a website lists its flows with what became of their last runs', async () => {
  await show('/sites/w1', { website, flows: { totalCount: 1, nodes: [flow] } });
  const row = await screen.findByRole('row', { name: /Checkout/ });
  expect(within(row).getByRole('link', { name: 'Checkout' })).toHaveAttribute('href', '/flows/f1');
  expect(row).toHaveTextContent('3 steps, 1 checkpoint');
  expect(row).toHaveTextContent('Failed');
  expect(screen.getByRole('link', { name: 'New flow' })).toHaveAttribute('href', '/sites/w1/flows/new');
});

test('a flow tells its steps, and runs alone in the group that it is part of', async () => {
  const takeScreenshots = vi.fn<() => object>(() => ({ batchId: 'b2', amountScreenshots: 1 }));
  const { server, user } = await show('/flows/f1', { flow, flowRuns, takeScreenshots });
  const steps = await screen.findByRole('region', { name: 'Steps' });
  expect(steps).toHaveTextContent('field “Password” · a secret');
  expect(steps).toHaveTextContent('button “Buy” or #buy');
  await user.click(screen.getByRole('button', { name: 'Run' }));
  expect(await screen.findByText('The flow is about to run')).toBeVisible();
  expect(server.variablesOf('RunFlow')).toEqual([{ input: { groupIds: ['g1'], flowIds: ['f1'], scType: 'PRE' } }]);
});

test('those who may only read neither run nor change a flow', async () => {
  await show('/flows/f1', { flow, flowRuns }, { may: ['READ'] });
  expect(await screen.findByRole('heading', { name: 'Checkout' })).toBeVisible();
  for (const name of ['Run', 'Delete']) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
  expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
});

test('a step that failed names itself, says what was there instead and shows the window, and what comes new is shown', async () => {
  const { server } = await show('/flow-runs/r1', { flowRun: { ...run, status: 'PROCESSING', steps: [] } });
  expect(await screen.findByText('The flow is running.')).toBeVisible();
  const tell = (number: number, kind: string) =>
    server.tell({ number, openAlarms: 0, checksLeft: 900, runs: [], events: [{ number, kind, subjectId: 'r1', batchId: 'b1' }] });
  const ahead = run.steps.slice(1).map((each) => ({ ...each, status: null, durationMs: null, error: null }));
  server.answers({ flowRun: { ...run, status: 'PROCESSING', steps: [run.steps[0], ...ahead] } });
  await tell(1, 'FLOW_RUN_UPDATED');
  expect(await screen.findByText('Passed')).toBeVisible();
  const running = screen.getAllByRole('listitem').filter((item) => within(item).queryByText('Running') !== null);
  expect(running).toHaveLength(1);
  expect(running[0]).toHaveTextContent('Buy');
  server.answers({ flowRun: run });
  await tell(2, 'FLOW_FAILED');
  expect(await screen.findByText('Step 2 failed: click button “Buy” or #buy')).toBeVisible();
  expect(screen.getByText('Button “Buy” or #buy was not found; nearest: “Add to basket”.')).toBeVisible();
  expect(screen.getByRole('img', { name: 'The window when the step failed' })).toHaveAttribute('src', '/images/window.png');
  expect(screen.getByText('1.8 s')).toBeVisible();
  expect(screen.getByText('Skipped')).toBeVisible();
});

test('steps are added, moved and removed by keys, and a secret that is not typed anew stays', async () => {
  const updateFlow = vi.fn<() => object>(() => ({ flow }));
  const { server, user, address } = await show('/flows/f1/edit', { flow, flowRuns, updateFlow });
  const secret = await screen.findByLabelText('Secret');
  expect(secret).toHaveValue('');
  expect(secret).toHaveAttribute('type', 'password');
  screen.getByRole('button', { name: 'Move step 2 up' }).focus();
  await user.keyboard('{Enter}');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Action of the new step' }), 'WAIT');
  await user.click(screen.getByRole('button', { name: 'Add step' }));
  expect(screen.getByText('Step 4')).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Remove step 4' }));
  expect(screen.getByText('Step 3')).toHaveFocus();
  const buy = screen.getByRole('group', { name: 'Step 1' });
  await user.click(within(buy).getByRole('button', { name: 'Add alternative' }));
  await user.selectOptions(within(buy).getByRole('combobox', { name: 'Find element by (3)' }), 'text');
  await user.type(within(buy).getByRole('textbox', { name: 'Text' }), 'Buy now');
  await user.click(within(buy).getByRole('switch', { name: 'Has a lasting effect' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('heading', { name: 'Checkout' })).toBeVisible();
  expect(address()).toBe('/flows/f1');
  expect(server.variablesOf('UpdateFlow')[0]?.['input']).toMatchObject({
    steps: [
      { id: 's2', type: 'CLICK', selector: 'role=button[name="Buy"] || #buy || text=Buy now', changes: true },
      { id: 's1', type: 'FILL', selector: 'label=Password', sensitive: true },
      { id: 's3', type: 'CHECKPOINT', label: 'Basket' },
    ],
  });
  expect(JSON.stringify(server.variablesOf('UpdateFlow')[0])).not.toContain('"value"');
});

test('an element is picked in a screenshot, by a click or from the list', async () => {
  const shot = { id: 'p1', device: 'DESKTOP', link: 'https://afterimage.example.com/images/1.png', width: 1000, height: 500 };
  const box = { x: 100, y: 50, width: 200, height: 100 };
  const elements = [
    { number: 0, box: { x: 0, y: 0, width: 1000, height: 500 }, selector: 'body', tag: 'body', role: null, text: null },
    { number: 1, box, selector: '#add', tag: 'button', role: 'button', text: 'Add to basket' },
    { number: 2, box: { ...box, x: 500 }, selector: '#home', tag: 'a', role: 'link', text: 'Home' },
  ];
  const taken = { createdAt: '2026-01-05T10:00:00Z', ...shot };
  let reachable = false;
  const { server, user } = await show('/flows/f1/edit', {
    flow,
    flowRuns,
    updateFlow: { flow },
    screenshots: {
      nodes: [
        { ...taken, address: 'shop.example.com/#flow:Checkout/Basket' },
        { ...taken, id: 'p2', address: 'shop.example.com/' },
        { ...taken, id: 'p3', address: 'shop.example.com/' },
      ],
    },
    screenshot: ({ id }: { id: string }) => {
      if (id === 'p2' && !reachable) {
        throw refused('UNAVAILABLE', 'The service is busy.');
      }
      return { id, content: id === 'p2' ? { elements } : null };
    },
  });
  const second = await screen.findByRole('group', { name: 'Step 2' });
  await user.click(within(second).getByRole('button', { name: 'Pick in a screenshot' }));
  const dialog = await screen.findByRole('dialog', { name: 'Pick an element' });
  expect(server.variablesOf('PickableScreenshots')).toEqual([{ groupIds: ['g1', 'g2'] }]);
  expect(await within(dialog).findByText('The elements of this screenshot are not stored.')).toBeVisible();
  const pages = within(dialog).getByRole('combobox', { name: 'Screenshot' });
  expect(within(pages).getAllByRole('option')).toHaveLength(2);
  await user.selectOptions(pages, 'p2');
  expect(await within(dialog).findByText(/The elements could not be loaded\./)).toBeVisible();
  reachable = true;
  await user.click(within(dialog).getByRole('button', { name: 'Try again' }));
  const list = within(dialog).getByRole('combobox', { name: 'Element' });
  await user.selectOptions(list, await within(list).findByRole('option', { name: 'link “Home”' }));
  expect(within(dialog).getByText('Found by: link “Home” or #home')).toBeVisible();

  const picture = within(dialog).getByRole('img', { name: 'Screenshot of shop.example.com/' });
  const frame = picture.parentElement as HTMLElement;
  vi.spyOn(frame, 'getBoundingClientRect').mockReturnValue(new DOMRect(20, 40, 500, 250));
  await user.pointer({ target: picture, keys: '[MouseLeft]', coords: { clientX: 20 + 60, clientY: 40 + 30 } });
  expect(list).toHaveDisplayValue('button “Add to basket”');
  await user.click(within(dialog).getByRole('button', { name: 'Use element' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => server.variablesOf('UpdateFlow')).toHaveLength(1);
  expect(server.variablesOf('UpdateFlow')[0]).toMatchObject({
    input: { steps: [{ id: 's1' }, { id: 's2', selector: 'role=button[name="Add to basket"] || #add' }, { id: 's3' }] },
  });
});

test('a flow is made and tried, and a step that is refused says why', async () => {
  let makeable = false;
  const createFlow = () => {
    if (!makeable) {
      throw refused('INVALID', 'The flow is wrong.', { 'input.steps.0.selector': 'The selector is taken by nothing.' });
    }
    return { flow };
  };
  const takeScreenshots = () => ({ batchId: 'b2', amountScreenshots: 1 });
  const { server, user, address } = await show(
    '/sites/w1/flows/new',
    { website, flow, flowRuns, createFlow, takeScreenshots },
    { language: 'de' },
  );
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Kasse');
  await user.type(screen.getByRole('textbox', { name: 'Zugänglicher Name' }), 'Kaufen');
  await user.type(screen.getByRole('textbox', { name: 'Name der Aufnahme' }), 'Korb');
  await user.click(screen.getByRole('button', { name: 'Speichern und ausführen' }));
  expect(await screen.findByText('The selector is taken by nothing.')).toBeVisible();
  makeable = true;
  await user.click(screen.getByRole('button', { name: 'Speichern und ausführen' }));
  expect(await screen.findByText('Der Ablauf wird gleich ausgeführt')).toBeVisible();
  expect(address()).toBe('/flows/f1');
  expect(server.variablesOf('CreateFlow')[1]).toMatchObject({
    input: { websiteId: 'w1', name: 'Kasse', steps: [{ type: 'CLICK', selector: 'role=button[name="Kaufen"]' }, { label: 'Korb' }] },
  });
  expect(server.variablesOf('RunFlow')).toHaveLength(1);
});

const window = (n: number) => ({
  pictureLink: `https://afterimage.example.com/images/w${n}.png`,
  previewLink: `https://afterimage.example.com/images/w${n}_compressed.jpeg`,
});

const trial = {
  id: 't1',
  status: 'OPEN',
  errorMsg: null,
  pictureLink: null,
  previewLink: null,
  steps: [1, 2].map((number) => ({
    number,
    does: number === 2 ? 'click button “Buy” or #buy' : 'fill field “Password” with the secret password',
    status: null as string | null,
    error: null as string | null,
    pictureLink: null as string | null,
    previewLink: null as string | null,
  })),
};

test('steps are tried up to one of them, with the window before each, without being saved', async () => {
  const missing = 'Button “Buy” or #buy was not found; nearest: “Add to basket”.';
  const { server, user } = await show('/flows/f1/edit', { flow, flowRuns, tryFlow: { trial }, flowTrial: trial });
  await user.type(await screen.findByLabelText('Secret'), 'correct horse');
  screen.getByRole('button', { name: 'Try up to step 2' }).focus();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('The trial is waiting to start.')).toBeVisible();
  expect(server.variablesOf('TryFlow')).toMatchObject([
    {
      input: {
        flowId: 'f1',
        url: 'https://shop.example.com/',
        device: 'DESKTOP',
        lastStep: 2,
        allowChanges: false,
        steps: [
          { id: 's1', type: 'FILL', value: 'correct horse' },
          { id: 's2', type: 'CLICK' },
          { id: 's3', type: 'CHECKPOINT' },
        ],
      },
    },
  ]);
  const tell = (number: number) =>
    server.tell({
      number,
      openAlarms: 0,
      checksLeft: 900,
      runs: [],
      events: [{ number, kind: 'FLOW_TRIAL_UPDATED', subjectId: 't1', batchId: null }],
    });
  const [first, second] = trial.steps;
  server.answers({
    flowTrial: {
      ...trial,
      status: 'PROCESSING',
      steps: [
        { ...first, status: 'PASSED', ...window(0) },
        { ...second, ...window(1) },
      ],
    },
  });
  await tell(1);
  const steps = [1, 2].map((number) => screen.getByRole('group', { name: `Step ${number}` }).closest('li') as HTMLElement);
  expect(await within(steps[0] as HTMLElement).findByText('Passed')).toBeVisible();
  expect(within(steps[1] as HTMLElement).getByText('Running')).toBeVisible();
  server.answers({
    flowTrial: {
      ...trial,
      status: 'FAILED',
      ...window(2),
      steps: [
        { ...first, status: 'PASSED', ...window(0) },
        { ...second, status: 'FAILED', error: missing, ...window(1) },
      ],
    },
  });
  await tell(2);
  expect(await screen.findByText('Step 2 failed: click button “Buy” or #buy')).toBeVisible();
  expect(within(steps[1] as HTMLElement).getByText(missing)).toBeVisible();
  for (const name of ['Before step 1', 'Before step 2', 'After step 2']) {
    expect(screen.getByRole('button', { name: `Enlarge: ${name}` })).toBeVisible();
  }
  await user.click(screen.getByRole('button', { name: 'Enlarge: Before step 2' }));
  const dialog = await screen.findByRole('dialog', { name: 'Before step 2' });
  expect(within(dialog).getByRole('img', { name: 'Before step 2' })).toHaveAttribute('src', '/images/w1.png');
  await user.keyboard('{Escape}');
  // What a step showed stays with it when it is moved.
  await user.click(screen.getByRole('button', { name: 'Move step 2 up' }));
  const moved = screen.getByRole('group', { name: 'Step 1' }).closest('li') as HTMLElement;
  expect(within(moved).getByText(missing)).toBeVisible();
  server.answers({
    flowTrial: () => {
      throw refused('NOT_FOUND', 'FlowTrial not found.');
    },
  });
  await tell(3);
  expect(await screen.findByText(/^The trial was deleted/)).toBeVisible();
  expect(screen.queryByText(missing)).toBeNull();
});

test('a trial is cancelled while it runs', async () => {
  const cancelled = { ...trial, status: 'FAILED', errorMsg: 'The trial was cancelled.' };
  const cancelFlowTrial = { trial: cancelled };
  const { server, user } = await show('/flows/f1/edit', { flow, flowRuns, tryFlow: { trial }, flowTrial: trial, cancelFlowTrial });
  await user.type(await screen.findByLabelText('Secret'), 'correct horse');
  expect(screen.queryByRole('button', { name: 'Cancel trial' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Try up to step 2' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel trial' }));
  expect(await screen.findByText('The trial was cancelled.')).toBeVisible();
  expect(server.variablesOf('CancelFlowTrial')).toEqual([{ id: 't1' }]);
  expect(screen.queryByRole('button', { name: 'Cancel trial' })).toBeNull();
});

test('steps with a lasting effect are tried only after a question, and what is wrong with them is said', async () => {
  let refuses = true;
  const tryFlow = () => {
    if (refuses) {
      throw refused('INVALID', 'The flow is wrong.', { 'input.steps.0.selector': 'The selector is taken by nothing.' });
    }
    return { trial };
  };
  const { server, user } = await show('/sites/w1/flows/new', { website, tryFlow, flowTrial: trial }, { language: 'de' });
  await user.type(await screen.findByRole('textbox', { name: 'Zugänglicher Name' }), 'Kaufen');
  await user.click(screen.getByRole('switch', { name: 'Hat eine bleibende Wirkung' }));
  await user.click(screen.getByRole('button', { name: 'Alle Schritte ausprobieren' }));
  const question = await screen.findByRole('dialog', { name: 'Schritte mit bleibender Wirkung ausprobieren?' });
  expect(question).toHaveTextContent('Schritt 1 hat eine bleibende Wirkung');
  await user.keyboard('{Escape}');
  expect(server.variablesOf('TryFlow')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Bis Schritt 1 ausprobieren' }));
  await user.click(await screen.findByRole('button', { name: 'Trotzdem ausprobieren' }));
  expect(await screen.findByText('The selector is taken by nothing.')).toBeVisible();
  refuses = false;
  await user.click(screen.getByRole('button', { name: 'Alle Schritte ausprobieren' }));
  await user.click(await screen.findByRole('button', { name: 'Trotzdem ausprobieren' }));
  expect(await screen.findByText('Der Versuch wartet auf den Start.')).toBeVisible();
  expect(server.variablesOf('TryFlow')).toMatchObject([
    { input: { websiteId: 'w1', lastStep: 1, allowChanges: true } },
    { input: { websiteId: 'w1', lastStep: 2, allowChanges: true } },
  ]);
});

test('those who may not change a flow cannot try it', async () => {
  await show('/flows/f1/edit', { flow, flowRuns }, { may: ['READ', 'RUN'] });
  expect(await screen.findByRole('group', { name: 'Step 1' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Try/ })).toBeNull();
});
