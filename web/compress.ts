import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

const smaller = promisify(brotliCompress);
const worthIt = 1024; // bytes

/**
 * Writes a Brotli copy beside each script, style and picture of a folder, for browsers that take it: smaller than what the
 * server could compress while somebody waits.
 */
export async function compress(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name));
      if (content.length >= worthIt) {
        await writeFile(join(folder, `${name}.br`), await smaller(content));
      }
    }),
  );
}
