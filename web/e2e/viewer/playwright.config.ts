import { defineConfig } from '@playwright/test';

// The Go test TestTheViewerInABrowser (internal/review) serves the pages and starts these tests.
const { STATES_URL: baseURL, CHROMIUM: executablePath } = process.env;
if (!baseURL || !executablePath) {
  throw new Error('Run go test -run TestTheViewerInABrowser ./internal/review: it serves the pages that are tested.');
}

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../node_modules/.viewer-results',
  reporter: [['list']],
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 900_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    launchOptions: { executablePath },
  },
});
