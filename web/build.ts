// Builds the pages that the program embeds, each into a folder of its own below dist (see vite.config.ts), all at once.
import { copyFileSync } from 'node:fs';

import { build } from 'vite';

import { compress } from './compress.ts';
import { configOf } from './vite.config.ts';

process.chdir(import.meta.dirname);

const embedded = ['signin', 'guest', 'report', 'graphiql', 'app'] as const;
const compressed = ['signin', 'guest', 'app'] as const;

await Promise.all(embedded.map((page) => build({ ...configOf(page, 'build'), configFile: false })));
await Promise.all(compressed.map((page) => compress(`dist/${page}/assets`)));
copyFileSync('app/api/generated/persisted-documents.json', 'dist/app/documents.json');
