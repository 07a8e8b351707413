import { defineConfig } from '@playwright/test';

// The Go test TestDashboard (e2e) starts the service with a run to review, and these tests.
const { SERVICE_URL: baseURL, CHROMIUM: executablePath } = process.env;
if (!baseURL || !executablePath) {
  throw new Error('Run go test -run TestDashboard ./e2e: it starts the service that is tested.');
}

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../node_modules/.dashboard-results',
  reporter: [['list']],
  // The tests share a run: what one reviews, the next one finds reviewed.
  workers: 1,
  forbidOnly: true,
  timeout: 900_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL,
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    launchOptions: { executablePath },
  },
});
