import { defineConfig } from 'vite';

// Every page is a folder of its own with its own assets, so that the server
// can put one behind the session check and leave another public without
// knowing which hashed file belongs to which.
const pages = {
  signin: 'signin/index.html',
  graphiql: 'graphiql/index.html',
};

// The sign-in page is one script and one style sheet and imports nothing
// shared. Everything else (chunks, workers, fonts) is GraphiQL's.
const ownerOf = (name: string | undefined): keyof typeof pages =>
  name?.startsWith('signin') ? 'signin' : 'graphiql';

export default defineConfig({
  // Relative addresses: the pages also work below a path prefix.
  base: './',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Every browser that runs the pages' syntax knows modulepreload; without
    // the polyfill the two pages share no chunk.
    modulePreload: { polyfill: false },
    // Monaco alone is several megabytes; the warning would never go away.
    chunkSizeWarningLimit: 8000,
    // Only fonts and icons that are really tiny become data: addresses.
    assetsInlineLimit: 1024,
    license: { fileName: 'graphiql/third-party-licenses.md' },
    rolldownOptions: {
      input: pages,
      // "use client" is for server rendering; there is none here.
      onwarn(warning, report) {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') {
          report(warning);
        }
      },
      output: {
        entryFileNames: (chunk) => `${ownerOf(chunk.name)}/assets/[name]-[hash].js`,
        chunkFileNames: 'graphiql/assets/[name]-[hash].js',
        assetFileNames: (asset) => `${ownerOf(asset.names[0])}/assets/[name]-[hash][extname]`,
      },
    },
  },
  worker: {
    format: 'es',
    rolldownOptions: {
      output: {
        entryFileNames: 'graphiql/assets/[name]-[hash].js',
        chunkFileNames: 'graphiql/assets/[name]-[hash].js',
      },
    },
  },
});
