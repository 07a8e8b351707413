// Gives a page another sequence of random numbers: runs in the page's own world, before its scripts, in every frame. SEED is drawn
// for each capture. The generator is Mulberry32 (Tommy Ettinger, public domain).
(() => {
  'use strict';

  const { imul } = Math;
  let state = SEED;
  Math.random = new Proxy(Math.random, {
    apply: () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = imul(state ^ (state >>> 15), 1 | state);
      t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    },
  });
})();
