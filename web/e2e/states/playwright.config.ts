import { defineConfig } from '@playwright/test';

// The Go test TestStatesOfTheDashboard (e2e) serves the page of states, and starts these tests.
const { SERVICE_URL: baseURL, CHROMIUM: executablePath } = process.env;
if (!baseURL || !executablePath) {
  throw new Error('Run go test -run TestStatesOfTheDashboard ./e2e: it serves the page that is tested.');
}

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../node_modules/.states-results',
  reporter: [['list']],
  workers: 1,
  forbidOnly: true,
  timeout: 900_000,
  expect: { timeout: 60_000 },
  use: { baseURL, launchOptions: { executablePath } },
});
