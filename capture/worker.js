// Makes a worker live in a time that is ours, see clock.js: runs in the worker before its scripts. Its value is a function that
// lets the worker's time pass until so many ms after its beginning, and tells whether the worker draws. Given a number below 0, it
// waits until what was drawn is on its way.
(() => {
  'use strict';

  const { apply, construct } = Reflect;
  const { max, floor } = Math;
  const { Date: TheDate } = globalThis;

  const frameTime = 50; // ms between two frames, as of a page
  const most = 2000; // callbacks at a time: a worker that calls itself at once must end, too
  const patience = 20_000; // looks at a clock without the time moving
  const begun = TheDate.now();
  let clock = 0; // ms
  let looks = 0;

  // Our time stands still while a script runs: one that waits in a loop for the time to pass would wait for ever.
  const look = () => {
    if (++looks > patience) clock++;
    return clock;
  };

  performance.constructor.prototype.now = new Proxy(performance.now, { apply: (now, self) => { apply(now, self, []); return look(); } });
  TheDate.now = new Proxy(TheDate.now, { apply: () => begun + look() });
  const Dated = new Proxy(TheDate, {
    construct: (target, list, derived) => construct(target, list.length > 0 ? list : [TheDate.now()], derived),
    apply: () => new Dated().toString(),
  });
  TheDate.prototype.constructor = Dated;
  globalThis.Date = Dated;

  const waiting = new Map(); // by their number, in the order in which they were made
  let made = 0;
  const add = (due, call, every) => {
    waiting.set(++made, { due, call, every });
    return made;
  };
  const called = (handler, list) => (typeof handler === 'function' ? () => { apply(handler, globalThis, list); } : () => { (0, eval)(String(handler)); });
  // Where a worker has not begun, the browser has not given it timers yet: ours stand before those to come.
  const stand = (name, apply) => { globalThis[name] = new Proxy(() => {}, { apply }); };
  const timer = (name, repeats) => {
    stand(name, (none, self, [handler, delay, ...list]) => {
      const wait = max(repeats ? 1 : 0, floor(+delay || 0));
      return add(clock + wait, called(handler, list), repeats ? wait : 0);
    });
  };
  const cancel = (none, self, [id]) => { waiting.delete(id); };
  timer('setTimeout', false);
  timer('setInterval', true);
  stand('clearTimeout', cancel);
  stand('clearInterval', cancel);
  const frame = globalThis.requestAnimationFrame?.bind(globalThis); // not in every kind of worker
  if (frame) {
    globalThis.requestAnimationFrame = new Proxy(requestAnimationFrame, {
      apply: (native, self, list) => {
        if (typeof list[0] !== 'function') return apply(native, self, list); // which tells what is wrong
        return add((floor(clock / frameTime) + 1) * frameTime, () => { list[0](clock); }, 0);
      },
    });
    stand('cancelAnimationFrame', cancel);
  }

  let draws = false;
  if (globalThis.OffscreenCanvas) {
    OffscreenCanvas.prototype.getContext = new Proxy(OffscreenCanvas.prototype.getContext, {
      apply: (native, self, list) => {
        if (!draws) keep();
        draws = true;
        return apply(native, self, list);
      },
    });
  }

  // The worker's own messages and promises have their turn between two callbacks.
  const { port1, port2 } = new MessageChannel();
  const turn = () => new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(0);
  });

  const next = (until) => {
    let found = 0;
    for (const [id, { due }] of waiting) if (due <= until && (found === 0 || due < waiting.get(found).due)) found = id;
    return found;
  };

  const pass = async (until) => {
    looks = 0;
    await turn(); // what the page has sent comes first
    for (let calls = 0, id = next(until); id > 0 && calls < most; calls++, id = next(until)) {
      const { due, call, every } = waiting.get(id);
      clock = max(clock, due);
      looks = 0;
      if (every > 0) waiting.get(id).due = due + every;
      else waiting.delete(id);
      try { call(); } catch (error) { reportError(error); }
      await turn();
    }
    clock = max(clock, until);
    return draws;
  };
  // What was drawn leaves the worker with its next frame, or a later one while those before are on their way.
  const show = async () => { for (let i = 0; i < 4; i++) await new Promise((resolve) => { frame(resolve); }); };
  // A worker that draws and then asks for no more frames keeps those of the page from being completed.
  const keep = () => { frame(keep); };
  return (until) => (until < 0 ? show() : pass(until));
})();
