// Serves one peer: reads {"concurrency":…,"jobs":[{"url":…,"file":…}]} a line, takes all pictures with that many at once and
// answers {"ns":…,"errors":[…]}, one error or null a job.
import { createInterface } from 'node:readline';
import { tools } from './tools.mjs';

// Standard output is for the answers.
const answer = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;
for (const level of ['log', 'info', 'warn', 'error']) console[level] = () => {};

const [name, browser] = process.argv.slice(2);
const tool = await tools[name](browser);

// Tools that take one picture at a time get their pages from a queue.
async function each(capture, { concurrency, jobs }) {
  const errors = jobs.map(() => null);
  let next = 0;
  const worker = async () => {
    while (next < jobs.length) {
      const i = next++;
      await capture(jobs[i]).catch((error) => { errors[i] = String(error.message ?? error).split('\n')[0].slice(0, 300); });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return errors;
}

for await (const line of createInterface({ input: process.stdin })) {
  const batch = JSON.parse(line);
  const start = process.hrtime.bigint();
  const errors = tool.all ? await tool.all(batch) : await each(tool.capture, batch);
  const ns = Number(process.hrtime.bigint() - start);
  answer(JSON.stringify({ ns, errors }) + '\n');
}
await tool.close?.();
