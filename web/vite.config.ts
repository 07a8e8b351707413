import react from '@vitejs/plugin-react';
import { defineConfig, type InlineConfig } from 'vite';

import { documentModules } from './documents.vite.ts';

// Every page is a folder of its own with its own assets, so that the server
// can put one behind the session check and leave another public without
// knowing which hashed file belongs to which. build.ts builds those that are
// embedded, and `PAGE=app vite build` one: pages share no chunk, because each is
// a build of its own.
const pages = {
  app: { chunkSizeWarningLimit: 600 },
  graphiql: {
    // Monaco alone is several megabytes; the warning would never go away.
    chunkSizeWarningLimit: 8000,
    modulePreload: { polyfill: false },
  },
  // The script of the public pages, whose documents the program writes.
  guest: { modulePreload: { polyfill: false } },
  // The script of the reports that the program writes as files.
  report: { modulePreload: { polyfill: false } },
  signin: { modulePreload: { polyfill: false } },
  // Not part of the program: components and their states, for those who work on them, and for tests.
  states: {},
};

export type Page = keyof typeof pages;

const isPage = (name: string | undefined): name is Page => name !== undefined && name in pages;

// `npm run dev` shows the dashboard as it is being written, with the data of a running service.
const service = process.env['AFTERIMAGE_URL'] ?? 'http://127.0.0.1:8080';
const proxy = Object.fromEntries(
  ['/graphql', '/session', '/images', '/signin', '/people', '/c/', '/b/'].map((path) => [
    path,
    { target: service, changeOrigin: true, ws: path === '/graphql', headers: { origin: service } },
  ]),
);

/** How a page is built, or served while it is being written. */
export const configOf = (page: Page, command: 'build' | 'serve'): InlineConfig => ({
  plugins: [react(), page === 'app' && documentModules(new URL('app/api/generated/graphql.ts', import.meta.url))],
  root: page,
  // Relative addresses: the pages also work below a path prefix. The dashboard's
  // document answers at many addresses, so it names its own folder.
  base: command === 'serve' ? '/' : page === 'app' ? '/app/' : './',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: `../dist/${page}`,
    emptyOutDir: true,
    target: 'es2023',
    // The first with light-dark(), which works for parts of a page only where it is not rewritten.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Only fonts and icons that are really tiny become data: addresses.
    assetsInlineLimit: 1024,
    license: { fileName: 'third-party-licenses.md' },
    ...pages[page],
    rolldownOptions: {
      // Several builds at once make each of them look slow.
      checks: { pluginTimings: false },
      // "use client" is for server rendering; there is none here.
      onwarn(warning, report) {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') {
          report(warning);
        }
      },
    },
  },
  worker: { format: 'es' },
  server: { proxy },
});

export default defineConfig(({ command }) => {
  const page = process.env['PAGE'];
  if (!isPage(page)) {
    throw new Error(`Set PAGE to one of: ${Object.keys(pages).join(', ')}.`);
  }
  return configOf(page, command);
});
