// Makes the clocks of a page fit a time that is ours: runs in the page's own world, before its scripts, in every frame.
// TOKEN is drawn for each capture, so that a page cannot tell what we ask.
(() => {
  'use strict';

  const { apply, construct } = Reflect;
  const { round } = Math;
  const moment = performance.now.bind(performance);

  const patience = 20_000; // looks at a clock without the time moving
  const workTime = 1; // ms that the time moves at each look from then on
  let last = 0;
  let looks = 0;
  let ahead = 0;
  let dated = -Infinity; // when the page last asked for the date
  let shift = 0; // ms
  let held; // what the clocks show meanwhile, if they are held

  // Our time stands still while a script runs: one that waits in a loop for the time to pass would wait for ever.
  const look = () => {
    const now = held?.moment ?? moment();
    if (now !== last) {
      last = now;
      looks = 0;
    } else if (++looks > patience) {
      ahead += workTime;
    }
    return now;
  };

  const date = () => {
    dated = look();
    return ahead + shift;
  };

  // The browser blurs its timers by up to 0.2 ms of chance, which would show in what moves by them.
  performance.constructor.prototype.now = new Proxy(performance.now, {
    apply: (now, self) => { apply(now, self, []); return round(look()) + ahead; },
  });

  const { Date: TheDate } = globalThis;
  const calendar = TheDate.now;
  TheDate.now = new Proxy(TheDate.now, { apply: () => date() + (held?.date ?? calendar()) });
  const Dated = new Proxy(TheDate, {
    construct: (target, list, derived) => construct(target, list.length > 0 ? list : [TheDate.now()], derived),
    apply: () => new Dated().toString(),
  });
  TheDate.prototype.constructor = Dated;
  globalThis.Date = Dated;

  const tell = globalThis['TOKEN'];
  delete globalThis['TOKEN'];

  // Workers need hands of ours before they begin, so they are counted.
  if (globalThis.Worker && tell) {
    const TheWorker = Worker;
    globalThis.Worker = new Proxy(TheWorker, {
      construct: (target, list, derived) => {
        const worker = construct(target, list, derived);
        tell('worker');
        return worker;
      },
    });
    TheWorker.prototype.constructor = globalThis.Worker;
  }

  // Pages whose scripts act once per frame get more frames than others. That they do is told twice a second at most.
  let told = -Infinity;
  const wantFrames = () => {
    const now = moment();
    if (now - told >= 500) {
      told = now;
      tell?.('frames');
    }
  };
  // What scripts do at the end of an animation may begin the next one.
  const ends = new Set(['animationend', 'transitionend', 'webkitAnimationEnd', 'webkitTransitionEnd']);
  let listens = false;
  for (const type of ['animationend', 'transitionend']) addEventListener(type, () => { if (listens) wantFrames(); }, { capture: true });
  // What listens to the wheel may be all that moves a page: our script asks for it, see wheel.js.
  const wheels = new Set(['wheel', 'mousewheel']);
  const mostWheeled = 100; // elements
  const wheeled = new Set();
  const notesWheel = (target) => { if (wheeled.size < mostWheeled) wheeled.add(target ?? globalThis); };
  EventTarget.prototype.addEventListener = new Proxy(EventTarget.prototype.addEventListener, {
    apply: (native, self, list) => {
      listens ||= ends.has(list[0]);
      if (wheels.has(list[0])) notesWheel(self);
      return apply(native, self, list);
    },
  });
  for (const name of ['onwheel', 'onmousewheel']) {
    const property = Object.getOwnPropertyDescriptor(HTMLElement.prototype, name);
    const set = new Proxy(property.set, {
      apply: (native, self, list) => {
        if (list[0]) notesWheel(self);
        return apply(native, self, list);
      },
    });
    Object.defineProperty(HTMLElement.prototype, name, { ...property, set });
  }
  addEventListener('TOKEN wheels', (event) => {
    event.stopImmediatePropagation();
    if (globalThis.onwheel || globalThis.onmousewheel || document.onwheel || document.onmousewheel) wheeled.add(document);
    for (const target of wheeled) {
      try {
        target.dispatchEvent(new CustomEvent('TOKEN wheeled', { bubbles: true, composed: true }));
      } catch { /* of a frame that is gone */ }
    }
  });
  let reports = 0; // that are being made
  const reported = (callback) => (typeof callback !== 'function' ? callback : function report(...list) {
    wantFrames();
    reports++;
    try { return apply(callback, this, list); } finally { reports--; }
  });
  for (const name of ['IntersectionObserver', 'ResizeObserver']) {
    const TheObserver = globalThis[name];
    globalThis[name] = new Proxy(TheObserver, {
      construct: (target, [callback, ...rest], derived) => construct(target, [reported(callback), ...rest], derived),
    });
    TheObserver.prototype.constructor = globalThis[name];
  }

  // What comes only a while after it came on the screen is begun by a timer of a script that heard of scrolling. Our script asks how
  // long such timers are, see late.js.
  const longestDelay = 4000; // ms
  let delayed = 0; // ms
  const heardOfScrolling = () => reports > 0 || globalThis.event?.type === 'scroll';
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (native, self, list) => {
      const [, delay] = list;
      if (delay > delayed && delay <= longestDelay && typeof delay === 'number' && heardOfScrolling()) delayed = delay;
      return apply(native, self, list);
    },
  });
  addEventListener('TOKEN delays', (event) => {
    event.stopImmediatePropagation();
    dispatchEvent(new CustomEvent('TOKEN answer', { detail: delayed }));
  });

  // Frames that pass while no script may run take their callbacks along; these are asked for again afterwards.
  const waiting = new Map(); // by the number that the page knows
  const ask = requestAnimationFrame.bind(globalThis);
  const cancel = cancelAnimationFrame.bind(globalThis);
  const request = (callback, known) => {
    wantFrames();
    const id = ask((time) => {
      if (suppressed) {
        request(callback, known ?? id);
        return;
      }
      waiting.delete(known ?? id);
      callback(round(time) + ahead);
    });
    waiting.set(known ?? id, { id, callback });
    return id;
  };
  globalThis.requestAnimationFrame = new Proxy(requestAnimationFrame, {
    apply: (native, self, list) => (typeof list[0] === 'function' ? request(list[0]) : apply(native, self, list)),
  });
  globalThis.cancelAnimationFrame = new Proxy(cancelAnimationFrame, {
    apply: (native, self, [known]) => {
      cancel(waiting.get(known)?.id ?? known);
      waiting.delete(known);
    },
  });
  const resume = (event) => {
    event?.stopImmediatePropagation();
    for (const [known, { id, callback }] of [...waiting]) {
      cancel(id);
      request(callback, known);
    }
  };

  addEventListener('TOKEN resume', resume);

  // While a picture is taken, frames pass by chance and the window takes other sizes for a moment. A page whose scripts cannot be
  // switched off meanwhile must not notice.
  let suppressed = false;
  const suppress = (event) => { if (suppressed) event.stopImmediatePropagation(); };
  for (const type of ['resize', 'scroll']) {
    addEventListener(type, suppress, { capture: true });
    visualViewport?.addEventListener(type, suppress);
  }
  globalThis.matchMedia = new Proxy(matchMedia, {
    apply: (match, self, list) => {
      const query = apply(match, self, list);
      query.addEventListener('change', suppress);
      return query;
    },
  });
  addEventListener('TOKEN suppress', (event) => {
    event.stopImmediatePropagation();
    suppressed = event.detail;
  });

  // While an input is handled: the browser takes 10 ms for a request that ends, and whether the script that gets the answer runs before or
  // after that is chance.
  addEventListener('TOKEN hold', (event) => {
    event.stopImmediatePropagation();
    held = event.detail ? { moment: moment(), date: calendar() } : undefined;
  });

  addEventListener('TOKEN', (event) => {
    event.stopImmediatePropagation();
    shift += event.detail;
    if (event.detail) resume();
    dispatchEvent(new CustomEvent('TOKEN answer', { detail: moment() - dated }));
  });
})();
