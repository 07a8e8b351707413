// Serves one peer: reads {"before":path,"after":path} a line and answers
// {"ns":…,"cpu":…,"changed":…} or {"error":…}. Files are read before the clock starts
// where the peer takes them from memory.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { contenders } from './contenders.mjs';

console.warn = () => {}; // odiff warns that its server ends when it is told to

const [name, output] = process.argv.slice(2);
const contender = await contenders[name](output);

const files = new Map();
function file(path) {
  if (!files.has(path)) files.set(path, readFileSync(path));
  return files.get(path);
}

async function answer({ before, after }) {
  const [a, b] = contender.takesPaths ? [before, after] : [file(before), file(after)];
  const start = process.hrtime.bigint(), used = process.cpuUsage();
  const changed = await contender.compare(a, b);
  const ns = Number(process.hrtime.bigint() - start), { user, system } = process.cpuUsage(used);
  return { ns, cpu: contender.worksElsewhere ? 0 : 1000 * (user + system), changed };
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line)).catch((error) => ({ error: String(error.message ?? error) }));
  process.stdout.write(JSON.stringify(reply) + '\n');
}
contender.stop?.();
