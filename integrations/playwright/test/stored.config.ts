import { defineConfig } from '@playwright/test';

import whole from './playwright.config';

// The tests of stored.spec.ts need no browser: for what the reporter does, whatever a screenshot shows.
export default defineConfig({ ...whole, testIgnore: [], testMatch: 'stored.spec.ts', projects: [{ name: 'desktop' }] });
