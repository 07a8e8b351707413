// The peers: each is given the browser's path and returns what takes one picture, or all of a batch, of the whole page.
// Every picture has a fresh browser context where the tool has its way of one.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const viewport = { width: 1440, height: 900 };
// The same user agent, size and density as ours.
const mobile = {
  viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, isMobile: true, hasTouch: true,
  userAgent: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36',
};
const rest = (ms) => new Promise((done) => setTimeout(done, ms));

// Puppeteer without any preparation: load, picture.
async function bare(executablePath, { options = {}, prepare = async () => {} } = {}) {
  const { default: puppeteer } = await import('puppeteer-core');
  const browser = await puppeteer.launch({ executablePath, headless: 'shell', args: ['--no-sandbox'] });
  return {
    async capture({ url, file }) {
      const context = await browser.createBrowserContext();
      try {
        const page = await context.newPage();
        await page.setViewport(viewport);
        await page.goto(url, { waitUntil: 'load' });
        await prepare(page);
        await page.screenshot({ path: file, fullPage: true, ...options });
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

// What a patient person writes: rest, scroll through, rest.
async function scrollThrough(page) {
  await rest(2000);
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo({ top, behavior: 'instant' });
      await new Promise((done) => setTimeout(done, 100));
    }
    scrollTo({ top: 0, behavior: 'instant' });
  });
  await rest(2000);
}

// Playwright's own screenshot, animations disabled; take is told the page.
async function playwright(executablePath, take) {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath });
  return {
    async capture({ url, file, device }) {
      const context = await browser.newContext(device === 'mobile' ? mobile : { viewport });
      try {
        const page = await context.newPage();
        await page.goto(url);
        await take(page, file);
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

const screenshot = (page, path) => page.screenshot({ path, fullPage: true, animations: 'disabled' });

async function argos(executablePath) {
  const { argosScreenshot } = await import('@argos-ci/playwright');
  return playwright(executablePath, async (page, file) => {
    const [taken] = await argosScreenshot(page, basename(file, '.png'), { root: dirname(file) });
    renameSync(taken.path, file);
  });
}

// Moves what a whole run left in a folder to where it is wanted, and removes the folder.
function collect(jobs, folder, where, missing) {
  const errors = jobs.map((job, i) => {
    const taken = where(job, i);
    if (!existsSync(taken)) return missing;
    copyFileSync(taken, job.file);
    return null;
  });
  rmSync(folder, { recursive: true });
  return errors;
}

// A whole run of @playwright/test that writes its snapshots.
function expectations(executablePath) {
  return {
    async all({ concurrency, jobs }) {
      const folder = mkdtempSync(join(tmpdir(), 'expect-'));
      writeFileSync(join(folder, 'jobs.json'), JSON.stringify(jobs));
      const child = spawn(process.execPath, [require.resolve('@playwright/test/cli'), 'test', '--config', new URL('playwright.config.mjs', import.meta.url).pathname], {
        stdio: 'ignore', env: { ...process.env, PEERBENCH_FOLDER: folder, PEERBENCH_BROWSER: executablePath, PEERBENCH_WORKERS: String(concurrency) },
      });
      await new Promise((done) => child.on('close', done));
      return collect(jobs, folder, ({ file }) => join(folder, 'snapshots', basename(file)), 'no two pictures in a row agreed in time');
    },
  };
}

// A whole run of `backstop reference`.
function backstop(executablePath) {
  const run = require('backstopjs');
  return {
    async all({ concurrency, jobs }) {
      const folder = mkdtempSync(join(tmpdir(), 'backstop-'));
      const paths = Object.fromEntries(['bitmaps_reference', 'bitmaps_test', 'engine_scripts', 'html_report', 'ci_report'].map((name) => [name, join(folder, name)]));
      const config = {
        id: 'zoo', viewports: [{ label: 'desktop', ...viewport }], fileNameTemplate: '{scenarioLabel}', paths, report: [],
        scenarios: jobs.map(({ url }, i) => ({ label: `job${i}`, url, selectors: ['document'] })),
        engine: 'puppeteer', engineOptions: { executablePath, headless: 'shell', args: ['--no-sandbox'] }, asyncCaptureLimit: concurrency,
      };
      await run('reference', { config }).catch(() => {}); // what is missing is told below
      return collect(jobs, folder, (_, i) => join(paths.bitmaps_reference, `job${i}.png`), 'no picture');
    },
  };
}

export const tools = {
  bare: (browser) => bare(browser),
  'bare-fast': (browser) => bare(browser, { options: { optimizeForSpeed: true } }),
  patient: (browser) => bare(browser, { prepare: scrollThrough }),
  playwright: (browser) => playwright(browser, screenshot),
  expect: expectations,
  backstop,
  argos,
};
