import { defineConfig } from '@playwright/test';

// The Go test TestDashboardSpeed (e2e) starts the service with what is measured, and these tests.
const { SERVICE_URL: baseURL, CHROMIUM: executablePath } = process.env;
if (!baseURL || !executablePath) {
  throw new Error('Run go test -run TestDashboardSpeed ./e2e: it starts the service that is measured.');
}

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../node_modules/.speed-results',
  reporter: [['list']],
  workers: 1,
  forbidOnly: true,
  timeout: 900_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL,
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath },
  },
});
