import { defineConfig } from '@playwright/test';

// The Go test TestManage (e2e) starts the service with an empty account, and these tests.
const { SERVICE_URL: baseURL, CHROMIUM: executablePath } = process.env;
if (!baseURL || !executablePath) {
  throw new Error('Run go test -run TestManage ./e2e: it starts the service that is tested.');
}

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../node_modules/.manage-results',
  reporter: [['list']],
  // The tests share an account: what one makes, the next one finds.
  workers: 1,
  forbidOnly: true,
  timeout: 900_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL,
    viewport: { width: 1280, height: 860 },
    actionTimeout: 60_000,
    reducedMotion: 'reduce',
    launchOptions: { executablePath },
  },
});
