import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';

/**
 * The configuration of a folder of these tests, which the Go test of that name starts with what they look at. Everything that waits has
 * an end, far later than it takes on a machine that is busy with other tests; what an end cuts off is told with the page as it was.
 */
export function settings(goTest: string, folder: string, { use, ...own }: PlaywrightTestConfig = {}): PlaywrightTestConfig {
  const { SERVICE_URL: baseURL, CHROMIUM: executablePath } = process.env;
  if (!baseURL || !executablePath) {
    throw new Error(`Run go test -run ${goTest}: it serves what is tested.`);
  }
  return defineConfig({
    testDir: '.', // of the configuration that calls this
    testMatch: '*.e2e.ts',
    outputDir: `../../node_modules/.${folder}-results`,
    reporter: [['list']],
    // The tests of a folder share what they look at: what one makes, the next one finds.
    workers: 1,
    forbidOnly: true,
    timeout: 1_800_000,
    expect: { timeout: 180_000, toPass: { timeout: 300_000 } },
    ...own,
    use: {
      baseURL,
      viewport: { width: 1280, height: 860 },
      reducedMotion: 'reduce',
      launchOptions: { executablePath },
      actionTimeout: 60_000,
      navigationTimeout: 120_000,
      ...use,
    },
  });
}
