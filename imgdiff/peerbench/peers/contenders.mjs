// The peers as functions of two files in memory (or two paths) that return the
// number of changed pixels, or null where the peer does not count. Threshold
// 0.1 and anti-aliasing left out, as imgdiff does, where a peer has these
// settings; each peer's own defaults otherwise. Pairs of unequal size come only
// to those that take them.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

async function blazediff(antialiasing, output) {
  const native = require('@blazediff/core-native-linux-x64');
  return {
    compare(a, b) {
      const r = native.compareBuffers(a, b, output, { threshold: 0.1, antialiasing });
      return r.matchResult ? 0 : r.diffCount;
    },
  };
}

async function pixelmatchSharp(output) {
  const [{ default: pixelmatch }, { default: sharp }] = await Promise.all([import('pixelmatch'), import('sharp')]);
  const decode = (data) => sharp(data).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return {
    async compare(a, b) {
      const [{ data: x, info }, { data: y }] = await Promise.all([decode(a), decode(b)]);
      const { width, height } = info;
      const picture = output ? new Uint8Array(x.length) : null;
      const changed = pixelmatch(x, y, picture, width, height, { threshold: 0.1 });
      if (picture) await sharp(picture, { raw: { width, height, channels: 4 } }).png({ compressionLevel: 1 }).toFile(output);
      return changed;
    },
  };
}

async function looksSame() {
  const compare = require('looks-same');
  return {
    // It would stop at the first difference; told not to, it still returns no count.
    async compare(a, b) {
      const r = await compare(a, b, { stopOnFirstFail: false, shouldCluster: false });
      return r.equal ? 0 : null;
    },
  };
}

async function honeydiff() {
  const { compare } = await import('@vizzly-testing/honeydiff');
  return { compare: async (a, b) => (await compare(a, b)).diffPixels };
}

async function odiffServer(output) {
  const { ODiffServer } = require('odiff-bin');
  const server = new ODiffServer();
  return {
    takesPaths: true, // as its documentation advises
    worksElsewhere: true,
    async compare(a, b) {
      const r = await server.compare(a, b, output, { threshold: 0.1, antialiasing: true });
      return r.match ? 0 : r.diffCount;
    },
    stop: () => server.stop(),
  };
}

export const contenders = {
  blazediff: () => blazediff(true, null),
  'blazediff-fastest': () => blazediff(false, null),
  'blazediff-picture': (output) => blazediff(true, output),
  'pixelmatch-sharp': () => pixelmatchSharp(null),
  'pixelmatch-sharp-picture': (output) => pixelmatchSharp(output),
  'looks-same': looksSame,
  honeydiff,
  'odiff-server': odiffServer,
};
