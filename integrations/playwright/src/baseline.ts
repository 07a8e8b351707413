import { copyFile, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { FullConfig } from '@playwright/test/reporter';

import { ask } from './program.js';
import type { Shot } from './shots.js';

/** Where screenshots are compared without a server. */
export interface BaselineOptions {
  baseline: string;
  output: string;
  /** Playwright's --update-snapshots. */
  update: FullConfig['updateSnapshots'];
}

interface Answer {
  id?: number;
  equal?: boolean;
  percent?: number;
  error?: string;
}

/** Compares screenshots with those of a folder, prints what differs, and reports whether nothing does. */
export async function compareWithBaseline(program: string, shots: Shot[], options: BaselineOptions): Promise<boolean> {
  const { baseline, output, update } = options;
  const known: { shot: Shot; before: string; picture: string }[] = [];
  let passed = true;
  for (const shot of shots) {
    const file = `${fileOf(shot)}.png`;
    const before = join(baseline, file);
    if (await exists(before)) {
      known.push({ shot, before, picture: join(output, file) });
    } else if (update === 'none') {
      passed = false;
      console.log(`afterimage: ${shot.facts.name} is not in ${baseline}.`);
    } else {
      await keep(shot, before);
      console.log(`afterimage: ${shot.facts.name} is new in ${baseline}.`);
    }
  }
  for (const { picture } of known) {
    await mkdir(dirname(picture), { recursive: true });
  }
  const lines = known.map(({ shot, before, picture }, id) => JSON.stringify({ id, before, after: shot.picture, align: true, compose: picture }));
  const answers = new Map((await ask(program, ['diff', '--stdin'], lines)).map((line) => JSON.parse(line) as Answer).map((a) => [a.id, a]));
  for (const [id, { shot, before, picture }] of known.entries()) {
    const answer = answers.get(id) ?? { error: 'the program gave no answer' };
    if (answer.equal) {
      continue;
    }
    if (answer.error === undefined && (update === 'all' || update === 'changed')) {
      await keep(shot, before);
      console.log(`afterimage: ${shot.facts.name} was updated in ${baseline}.`);
      continue;
    }
    passed = false;
    const what = answer.error ?? `${(answer.percent ?? 0).toFixed(2)} % differ, see ${picture}`;
    console.log(`afterimage: ${shot.facts.name}: ${what}`);
  }
  return passed;
}

/** The file of a screenshot: its name without what file systems take for something else. */
function fileOf({ facts }: Shot): string {
  return join(facts.device, facts.name.replace(/[^\p{L}\p{N}/ _.-]/gu, '_').replace(/(^|\/)\.+/g, '$1_'));
}

async function keep(shot: Shot, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await copyFile(shot.picture, path);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}
