import { defineConfig } from 'vitest/config';

// Tests of calculations. Those in browsers are in e2e.
export default defineConfig({ test: { include: ['{app,guest,report,ui,viewer}/**/*.test.{ts,tsx}'] } });
