// Writes a Brotli copy beside each script, style and picture of the given folders, for browsers that take it: smaller than what the
// server could compress while somebody waits.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const worthIt = 1024; // bytes

for (const folder of process.argv.slice(2)) {
  for (const name of readdirSync(folder).filter((each) => /\.(js|css|svg)$/.test(each))) {
    const content = readFileSync(join(folder, name));
    if (content.length >= worthIt) {
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content));
    }
  }
}
