// pixelmatch's own counts, through a decoder of its own: reads
// {"before","after","threshold","includeAA"} a line, answers {"changed"}.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const decoded = new Map();
function decode(path) {
  if (!decoded.has(path)) {
    if (decoded.size > 1) decoded.delete([...decoded.keys()].pop()); // keeps the plain page, which comes first
    decoded.set(path, PNG.sync.read(readFileSync(path)));
  }
  return decoded.get(path);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { before, after, threshold, includeAA } = JSON.parse(line);
  const a = decode(before), b = decode(after);
  const changed = pixelmatch(a.data, b.data, null, a.width, a.height, { threshold, includeAA });
  process.stdout.write(JSON.stringify({ changed }) + '\n');
}
