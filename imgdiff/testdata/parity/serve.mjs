// Answers comparisons from standard input with pixelmatch, until it ends.
//
// Request: five little-endian 32-bit words (width, height, threshold in
// millionths, includeAA, 1 for the mask of changed pixels or 2 for the whole
// output), then both pictures as RGBA. Answer: the count as one word, then
// the output picture as RGBA.
import { readSync, writeSync } from 'node:fs';
import pixelmatch from 'pixelmatch';

function read(length) {
  const buffer = Buffer.alloc(length);
  for (let have = 0; have < length;) {
    const n = readSync(0, buffer, have, length - have, null);
    if (n === 0) process.exit(0);
    have += n;
  }
  return buffer;
}

function write(buffer) {
  for (let sent = 0; sent < buffer.length;) {
    sent += writeSync(1, buffer, sent, buffer.length - sent);
  }
}

for (;;) {
  const head = read(20);
  const width = head.readUInt32LE(0);
  const height = head.readUInt32LE(4);
  const before = read(width * height * 4);
  const after = read(width * height * 4);
  const output = Buffer.alloc(width * height * 4);
  const count = pixelmatch(before, after, output, width, height, {
    threshold: head.readUInt32LE(8) / 1e6,
    includeAA: head.readUInt32LE(12) === 1,
    diffMask: head.readUInt32LE(16) === 1,
  });
  const answer = Buffer.alloc(4);
  answer.writeUInt32LE(count, 0);
  write(answer);
  write(output);
}
