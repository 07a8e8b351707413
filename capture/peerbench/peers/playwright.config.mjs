// How the run of @playwright/test that tools.mjs starts is set: its defaults but for the browser and where files go.
const { PEERBENCH_FOLDER: folder, PEERBENCH_BROWSER: executablePath, PEERBENCH_WORKERS: workers } = process.env;

export default {
  testDir: '.',
  testMatch: 'zoo.spec.mjs',
  outputDir: folder + '/results',
  snapshotPathTemplate: folder + '/snapshots/{arg}{ext}',
  updateSnapshots: 'all',
  fullyParallel: true,
  workers: Number(workers),
  reporter: 'null',
  use: { browserName: 'chromium', viewport: { width: 1440, height: 900 }, launchOptions: { executablePath } },
};
