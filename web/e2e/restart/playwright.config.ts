import { defineConfig } from '@playwright/test';

// The Go test TestDashboardThroughARestart (e2e) starts the service, and these tests, and restarts it when they ask for that.
const { SERVICE_URL: baseURL, CHROMIUM: executablePath } = process.env;
if (!baseURL || !executablePath) {
  throw new Error('Run go test -run TestDashboardThroughARestart ./e2e: it starts the service that is tested.');
}

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../node_modules/.restart-results',
  reporter: [['list']],
  workers: 1,
  forbidOnly: true,
  timeout: 900_000,
  expect: { timeout: 120_000 },
  use: {
    baseURL,
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    launchOptions: { executablePath },
  },
});
