// One phase of one tool: node run.mjs TOOL PHASE FOLDER. The phase `reference` takes the pictures of the first site and stores them,
// `test` takes those of the second and compares. FOLDER/task.json tells what to take; `test` writes which pictures the tool calls
// different to FOLDER/red.json, as [{path, device}].
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [tool, phase, folder] = process.argv.slice(2);
const task = JSON.parse(readFileSync(join(folder, 'task.json'), 'utf8'));
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const side = phase === 'reference' ? task.before : task.after;
const pairs = task.paths.flatMap((path) => task.devices.map((device) => ({ path, device })));

/** The name under which a tool stores a picture. */
const label = ({ path, device }) => `${device.name}${path.replaceAll('/', '_')}`;

function command(program, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 2, 2], env: { ...process.env, ...env } });
    child.on('error', reject);
    child.on('exit', resolve);
  });
}

function report(isRed) {
  const red = pairs.filter((pair) => isRed(label(pair))).map(({ path, device }) => ({ path, device: device.name }));
  writeFileSync(join(folder, 'red.json'), JSON.stringify(red));
}

// A project of @playwright/test with toHaveScreenshot.
async function expectations() {
  const results = join(folder, 'results.json');
  const cli = require.resolve('@playwright/test/cli');
  await command(process.execPath, [cli, 'test', '--config', join(here, 'playwright.config.mjs'), ...(phase === 'reference' ? ['--update-snapshots'] : [])],
    { COMPAREBENCH_FOLDER: folder, COMPAREBENCH_SIDE: side, PLAYWRIGHT_JSON_OUTPUT_FILE: results });
  if (phase === 'reference') return;
  const passed = new Set();
  const visit = (suite) => {
    for (const spec of suite.specs ?? []) if (spec.ok) passed.add(spec.title);
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of JSON.parse(readFileSync(results, 'utf8')).suites) visit(suite);
  report((name) => !passed.has(name));
}

// `backstop reference` and `backstop test`.
async function backstop() {
  const kinds = ['bitmaps_reference', 'bitmaps_test', 'engine_scripts', 'html_report', 'ci_report', 'json_report'];
  const viewport = ({ name, width, height }) => ({ label: name, width, height });
  const paths = Object.fromEntries(kinds.map((name) => [name, join(folder, 'backstop', name)]));
  const config = {
    id: 'shop', fileNameTemplate: '{scenarioLabel}', paths, report: ['json'],
    viewports: task.devices.map(viewport),
    scenarios: pairs.map((pair) => ({ label: label(pair), url: side + pair.path, selectors: ['document'], viewports: [viewport(pair.device)] })),
    engine: 'puppeteer', engineOptions: { executablePath: task.browser, headless: 'shell', args: ['--no-sandbox'] },
    asyncCaptureLimit: task.concurrency, asyncCompareLimit: task.concurrency,
  };
  const run = require('backstopjs');
  await run(phase, { config }).catch(() => {}); // it rejects if anything differs
  if (phase === 'reference') return;
  const told = JSON.parse(readFileSync(join(paths.json_report, 'jsonReport.json'), 'utf8'));
  const passed = new Set(told.tests.filter((test) => test.status === 'pass').map((test) => test.pair.label));
  report((name) => !passed.has(name));
}

// Full-page screenshots by playwright-core, and the comparison of reg-suit, reg-cli.
async function reg() {
  const { chromium } = require('playwright-core');
  const pictures = join(folder, phase);
  mkdirSync(pictures, { recursive: true });
  const browser = await chromium.launch({ executablePath: task.browser });
  const waiting = [...pairs];
  await Promise.all(Array.from({ length: task.concurrency }, async () => {
    for (let pair = waiting.shift(); pair; pair = waiting.shift()) {
      const { width, height, mobile } = pair.device;
      const page = await browser.newPage({ viewport: { width, height }, isMobile: mobile, hasTouch: mobile });
      await page.goto(side + pair.path);
      await page.screenshot({ path: join(pictures, `${label(pair)}.png`), fullPage: true, animations: 'disabled' });
      await page.close();
    }
  }));
  await browser.close();
  if (phase === 'reference') return;
  const json = join(folder, 'reg.json');
  await command(process.execPath, [join(here, '../node_modules/.bin/reg-cli'), pictures, join(folder, 'reference'), join(folder, 'difference'),
    '--json', json, '--concurrency', String(task.concurrency)]);
  const passed = new Set(JSON.parse(readFileSync(json, 'utf8')).passedItems.map((name) => name.replace(/\.png$/, '')));
  report((name) => !passed.has(name));
}

await { playwright: expectations, backstop, reg }[tool]();
