import { defineConfig } from 'vitest/config';

const inBrowser = { environment: 'jsdom', setupFiles: ['testing/browser.ts'] };

// Files that end in .tsx show components, in a browser without pictures and sizes, with a server of our own: see the folder testing.
// What needs more of a browser is in e2e. The others calculate.
export default defineConfig({
  test: {
    // Files share what they have loaded: testing/browser.ts clears up after each test.
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'calculations', include: ['{app,guest,report,ui,viewer}/**/*.test.ts'] } },
      { extends: true, test: { name: 'components', include: ['{app,signin,viewer}/**/*.test.tsx'], ...inBrowser } },
      // Its modules choose a language when they are loaded, so tests load them anew.
      { extends: true, test: { name: 'guest', include: ['guest/**/*.test.tsx'], isolate: true, ...inBrowser } },
    ],
  },
});
