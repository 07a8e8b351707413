import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Facts } from './facts.js';

/** A screenshot that a test took. */
export interface Shot {
  facts: Facts;
  /** The path of its file. */
  picture: string;
  /** The test, for people. */
  test: string;
}

/** Writes the screenshots as afterimage upload reads them: each picture with its facts beside it. */
export async function writeFolder(folder: string, shots: Shot[]): Promise<void> {
  const known = new Map<string, Shot>();
  for (const [n, shot] of shots.entries()) {
    const { name, device } = shot.facts;
    const other = known.get(`${device} ${name}`);
    if (other !== undefined) {
      throw new Error(`Two screenshots are named “${name}” on ${device}, in “${other.test}” and in “${shot.test}”: give them different names.`);
    }
    known.set(`${device} ${name}`, shot);
    await copyFile(shot.picture, join(folder, `${n}.png`));
    await writeFile(join(folder, `${n}.afterimage.json`), JSON.stringify(shot.facts));
  }
}
