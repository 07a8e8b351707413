// Our hand in the page: runs in an isolated world of every frame from the beginning of its document.
// Time inside a page is the page's own (requestAnimationFrame, performance.now), never the wall's.
globalThis.afterimage = (() => {
  'use strict';

  const quietTime = 100; // ms without a change that could move pixels
  let lastChange = -Infinity;
  let lastMark = -Infinity; // likewise of attributes that only a style sheet may make use of
  let lastTask = -Infinity; // end of a script that kept the page from answering
  let disturbed = false; // since the page was stilled
  let watching = null;

  // Whole milliseconds: the browser blurs its timers by up to 0.2 ms of chance.
  const now = () => Math.round(performance.now());

  // A frame has passed when its paint is done: a task posted from its animation callback runs after it. The timer stands in
  // where no frames come; it is long because on a busy machine they come late, and moving on early loses content.
  const frame = () => new Promise((resolve) => {
    const timer = setTimeout(resolve, 2000);
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => { clearTimeout(timer); resolve(); };
      channel.port2.postMessage(0);
    });
  });

  // The document and all open shadow roots in it.
  const roots = () => {
    const found = [document];
    for (let i = 0; i < found.length && found.length < 1000; i++) {
      const walker = document.createTreeWalker(found[i], NodeFilter.SHOW_ELEMENT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.shadowRoot instanceof ShadowRoot) found.push(node.shadowRoot);
      }
    }
    return found;
  };

  const everywhere = (selector) => roots().flatMap((root) => [...root.querySelectorAll(selector)]);

  // Only what can move pixels counts: data-* and aria-* attributes change all the time on some pages.
  const moves = (record) =>
    record.type !== 'attributes' || !/^(data|aria)-/.test(record.attributeName);

  const observe = (root) =>
    watching.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });

  const skipped = new Set(); // elements whose content is painted only near the screen

  const watch = () => {
    if (watching) return;
    watching = new MutationObserver((records) => {
      const moved = records.filter(moves);
      afterimage.restyled(records);
      if (moved.length < records.length) lastMark = now();
      if (moved.length === 0) return;
      afterimage.noteMoves(moved);
      lastChange = now();
      disturbed = true;
    });
    observe(document);
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) lastTask = Math.max(lastTask, startTime + duration);
    }).observe({ type: 'longtask' });
    // These change what is seen without a change in the document.
    const disturb = () => { disturbed = true; };
    document.addEventListener('contentvisibilityautostatechange', (event) => { skipped.add(event.target); }, true);
    for (const event of ['scroll', 'load', 'animationstart', 'transitionrun']) document.addEventListener(event, disturb, true);
    document.fonts.addEventListener('loadingdone', disturb);
  };

  // What a picture does to the page is undone where somebody goes on using it: the last thing first, and places that were scrolled to
  // when everything has its size again.
  const undone = [];
  const scrolled = [];
  const onResume = (how) => { undone.push(how); };
  const keepPlace = (element) => {
    const { scrollLeft, scrollTop } = element;
    scrolled.push(() => element.scrollTo({ left: scrollLeft, top: scrollTop, behavior: 'instant' }));
  };
  const keepStyle = (element) => {
    const style = element.getAttribute('style');
    onResume(() => {
      if (style === null) element.removeAttribute('style');
      else element.setAttribute('style', style);
    });
  };
  const resume = () => {
    const run = (list) => {
      while (list.length > 0) {
        try { list.pop()(); } catch { /* it is not there any more */ }
      }
    };
    run(undone);
    afterimage.rollBack();
    run(scrolled);
  };

  // Constructed style sheets are not subject to the page's content security policy. They come last in the cascade.
  const adopt = (css, root = document) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    return () => { root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet); };
  };

  // A computed style lists the browser's own properties first, which are hundreds.
  const customNames = (style) => {
    const names = [];
    for (let i = style.length - 1; i >= 0 && style[i].startsWith('--'); i--) names.push(style[i]);
    return names.sort();
  };

  // The custom properties of the document as a whole, of which much on a page may depend: at most so many, of so many characters.
  const variables = (most, length) => {
    const found = {};
    let left = most;
    const add = (name, value) => {
      if (name.startsWith('--') && name.length <= length && !(name in found) && left-- > 0) found[name] = String(value).trim().slice(0, length);
    };
    for (const element of [document.documentElement, document.body].filter(Boolean)) {
      const values = element.computedStyleMap();
      for (const name of customNames(getComputedStyle(element))) add(name, values.get(name));
    }
    let rules = 5000; // of style sheets of the same origin; those of others are not told
    for (const sheet of document.styleSheets) {
      try {
        for (const { style } of sheet.cssRules) {
          if (rules-- <= 0) break;
          for (const name of style ?? []) if (name.startsWith('--')) add(name, style.getPropertyValue(name));
        }
      } catch { /* of another origin */ }
    }
    return found;
  };

  const images = () => {
    for (const element of everywhere('img[loading=lazy], iframe[loading=lazy]')) element.loading = 'eager';
    for (const image of everywhere('img')) image.decoding = 'sync';
    watch();
  };

  const height = () => afterimage.height();

  // A page may scroll by itself in the same frame, for example to an autofocused field; then what should have been seen was not.
  const scrollTo = async (top) => {
    for (let tries = 0; tries < 3; tries++) {
      window.scrollTo({ top, left: 0, behavior: 'instant' });
      afterimage.tellScrolled();
      await frame();
      const reachable = Math.min(top, document.documentElement.scrollHeight - innerHeight);
      if (Math.abs(scrollY - reachable) < 2) return;
    }
  };

  const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

  // At its end a page may grow. It is given some time for that, where time is ours.
  const grows = async (top, limit, linger) => {
    const end = top + innerHeight;
    if (linger > 0 && end >= height() && end < limit) await pause(linger);
    return end < Math.min(height(), limit);
  };

  // Down screen by screen and back to the top, twice when the page has grown meanwhile. True when the end was reached in time.
  // The budget is for a page of usual height: one that is higher from the beginning has more, one that grows has not.
  const scrollThrough = async (budget, usual, limit, linger, token) => {
    let end = now() + budget * Math.max(1, Math.min(height(), limit) / usual);
    let seen = 0;
    const begun = now();
    // A page that does not change loses nothing. One that does so only when its last part comes into view is looked at again.
    let passed = []; // screens that were not looked at
    let changed = false; // in a shadow tree
    const inShadow = new MutationObserver((records) => {
      afterimage.restyled(records);
      changed = true;
    });
    for (const root of roots().slice(1)) inShadow.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    const same = () => Math.max(lastChange, lastMark) < begun && !changed && !afterimage.hasCanvas() && !afterimage.hasFrames();
    const look = async (top) => {
      if (same() && !afterimage.hasScene()) return void passed.push(top);
      await frame();
      afterimage.look();
    };
    const lookAgain = async () => {
      if (passed.length > 1) await frame();
      const tops = same() ? [] : passed;
      if (!same()) afterimage.noteLeft();
      passed = [];
      for (let i = 0; i < tops.length && now() < end; i++) {
        await scrollTo(tops[i]);
        await look(tops[i]);
      }
    };
    const pass = async () => {
      let [top, next] = [0, 0];
      while (await grows(top, limit, linger) && now() < end) {
        await look(top);
        next = top + innerHeight;
        await scrollTo(next);
        top = scrollY > top ? Math.min(Math.ceil(scrollY), next) : next; // a page that grows goes on from its former end
      }
      await look(top);
      afterimage.reach(next + innerHeight);
      await lookAgain();
      if (top > 0 || scrollY !== 0) await scrollTo(0);
      seen = next + innerHeight;
      if (afterimage.unroll(limit)) await frame();
    };
    afterimage.unroll(limit);
    afterimage.notePresent();
    for (let passes = 0; passes < 2 && height() > seen && now() < end; passes++) await pass();
    inShadow.disconnect();
    const comeAt = now();
    if (token && now() < end) await afterimage.findLate(token, scrollTo);
    end += now() - comeAt;
    if (now() < end) await afterimage.findBound(scrollTo);
    if (now() < end) await afterimage.findExchanged(scrollTo);
    const turnedAt = now();
    if (token) await afterimage.findWheeled(token, () => now() >= end);
    end += now() - turnedAt;
    if (token && afterimage.unroll(limit) && height() > seen && now() < end) await pass(); // what the wheel was seen to scroll
    return seen >= Math.min(height(), limit);
  };

  const scroll = (...list) => afterimage.whileScrolling(() => scrollThrough(...list));

  // Frames of trackers and the like are too small to be seen.
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 2 && box.height > 2 && element.checkVisibility({ visibilityProperty: true });
  };

  // A video that is to show a frame and has none yet.
  const fetching = (video) =>
    video.networkState === HTMLMediaElement.NETWORK_LOADING && video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA;

  // Nothing that could move pixels has changed in the document for a while.
  const rests = () => now() - lastChange >= quietTime;

  const changedAt = () => lastChange;

  const pending = () => {
    const waiting = [];
    if (document.fonts.status !== 'loaded') waiting.push('fonts');
    if (everywhere('img').some((image) => !image.complete)) waiting.push('images');
    if (decoding()) waiting.push('videos');
    if (everywhere('[aria-busy=true]').some(seen)) waiting.push('busy'); // the page says itself that it is not ready
    if (!rests()) waiting.push('dom');
    if (now() - lastTask < quietTime) waiting.push('script');
    return waiting;
  };

  // Waits until fonts, images, videos, the DOM and scripts are at rest and nothing is busy. Returns what that took waiting
  // for, and what was not at rest within the budget; a DOM that alone goes on changing has a budget of its own.
  const settle = async (budget, domBudget) => {
    const begin = now();
    const waited = new Set();
    let unready;
    const inTime = () => now() - begin < (unready.every((name) => name === 'dom') ? domBudget : budget);
    watch();
    do {
      await frame();
      unready = pending();
      unready.forEach((name) => waited.add(name));
    } while (unready.length > 0 && inTime());
    return { waited: [...waited], unready };
  };

  let turns = false;
  const turned = () => turns; // an endless animation was taken away

  // One that its style has replaced meanwhile stays away.
  const takeAway = (animation) => {
    const { currentTime, playState } = animation;
    afterimage.noteEndless(animation);
    afterimage.noteTurn(animation);
    animation.cancel();
    if (playState === 'idle') return;
    turns = true;
    onResume(() => {
      const { target, pseudoElement } = animation.effect;
      if (animation.animationName && !getComputedStyle(target, pseudoElement).animationName.includes(animation.animationName)) return;
      if (playState === 'paused') animation.pause();
      else animation.play();
      animation.currentTime = currentTime;
    });
  };

  // A script that has paused an animation moves it itself, for example along with the page.
  const isHeld = (animation) => animation.playState === 'paused' && !(animation instanceof CSSAnimation);

  // Finite animations jump to their end, endless ones are taken away: the picture shows what the page comes to.
  const finishAnimations = () => {
    for (const root of roots()) {
      for (const animation of root.getAnimations()) {
        const timing = animation.effect && animation.effect.getComputedTiming();
        try {
          if (isHeld(animation)) continue;
          if (timing && Number.isFinite(timing.endTime) && animation.playbackRate > 0) animation.finish();
          else takeAway(animation);
        } catch { /* an animation without a timeline neither runs nor ends */ }
      }
    }
    afterimage.showTurns();
  };

  // The same for animations of SVG, which have clocks of their own and no function that tells their end. Two that begin each other
  // are endless, too: they are left where they are at that time.
  const svgEnd = 60; // seconds
  const endless = (animation) => ['repeatCount', 'repeatDur'].some((name) => animation.getAttribute(name) === 'indefinite') &&
    !animation.hasAttribute('end');
  const finishSVG = () => {
    const owners = new Set();
    for (const animation of everywhere('animate, animateMotion, animateTransform, set')) {
      let owner = animation.ownerSVGElement;
      while (owner?.ownerSVGElement) owner = owner.ownerSVGElement;
      if (owner) owners.add(owner);
      if (!endless(animation)) continue;
      turns = true;
      const { parentNode, nextSibling } = animation;
      onResume(() => parentNode.insertBefore(animation, nextSibling?.parentNode === parentNode ? nextSibling : null));
      animation.remove();
    }
    for (const owner of owners) {
      if (!owner.animationsPaused()) onResume(() => owner.unpauseAnimations());
      owner.pauseAnimations();
      owner.setCurrentTime(Math.max(owner.getCurrentTime(), svgEnd));
    }
  };

  const stillCSS = '*,*::before,*::after{caret-color:transparent!important;transition:none!important;scroll-behavior:auto!important}' +
    '::-webkit-scrollbar{display:none!important}';

  // A video shows its first frame: where it is when the picture is taken would be chance. One that cannot be moved, a live
  // stream for example, is only paused.
  const rewind = (video) => {
    const { autoplay, paused, currentTime } = video;
    onResume(() => {
      rewinding.delete(video);
      video.autoplay = autoplay;
      if (paused) return;
      video.currentTime = currentTime;
      video.play().catch(() => {});
    });
    video.autoplay = false;
    video.pause();
    if (video.currentTime === 0 && !video.seeking) return;
    rewinding.set(video, { seeks: 2 });
    seekToStart(video);
  };

  // A paused video's new frame comes to the display after the video has ceased to call itself seeking, and not at all while the
  // compositor still owes an answer for the one before. So it is sought twice, and frames pass between the two.
  const rewinding = new Map();
  const seekToStart = (video) => {
    const state = rewinding.get(video);
    Object.assign(state, { seeks: state.seeks - 1, shown: false, looks: 0 });
    video.currentTime = 0;
    video.requestVideoFrameCallback(() => { state.shown = true; });
  };

  const mostLooks = 10; // at a video that shows no new frame: a live stream, for example
  const rewound = (video) => {
    const state = rewinding.get(video);
    if (!state) return true;
    if (video.seeking || !state.shown && ++state.looks < mostLooks) return false;
    if (state.seeks > 0) seekToStart(video);
    else rewinding.delete(video);
    return !rewinding.has(video);
  };

  const stilled = new WeakSet(); // roots that have the style sheet above

  // While a picture is taken no script runs. Style sheets that ask whether there are scripts must not notice.
  const scripted = [[/\(\s*scripting\s*(:\s*enabled\s*)?\)/g, '(min-width: 0)'], [/\(\s*scripting\s*:[^)]*\)/g, '(max-width: 0)']];
  const keepScripted = (rules) => {
    for (const rule of rules) {
      if (rule.media && rule.media.mediaText.includes('scripting')) {
        rule.media.mediaText = scripted.reduce((text, [from, to]) => text.replace(from, to), rule.media.mediaText);
      }
      if (rule instanceof CSSGroupingRule) keepScripted(rule.cssRules);
    }
  };
  const keepSheets = (root) => {
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      try { keepScripted(sheet.cssRules); } catch { /* of another origin */ }
    }
  };

  // Stops what moves, at once, and tells whether a canvas is to be seen. Frames beside the main one are only halted: those out of sight get no frames to wait for.
  const halt = () => {
    for (const root of roots()) {
      if (stilled.has(root)) continue;
      stilled.add(root);
      const take = adopt(stillCSS, root);
      onResume(() => { take(); stilled.delete(root); });
      keepSheets(root);
    }
    finishAnimations();
    finishSVG();
    for (const element of skipped) {
      keepStyle(element);
      element.style.setProperty('content-visibility', 'visible', 'important');
    }
    everywhere('video').forEach(rewind);
    return everywhere('canvas').some(seen);
  };

  // Videos are decoded beside the page, in a time of their own.
  const decoding = () => everywhere('video').filter((video) => video.seeking || (!rewound(video) || fetching(video)) && seen(video)).length > 0;

  const still = async (widest) => {
    const canvases = halt();
    await frame();
    finishAnimations(); // the end of one may start another
    await frame();
    afterimage.keepUnrolled();
    await afterimage.uncover(frame);
    const spread = await afterimage.backdrops(height());
    const hides = await afterimage.hides(frame);
    for (const root of roots()) observe(root);
    watching.takeRecords();
    disturbed = false;
    return {
      ...afterimage.extent(widest), title: document.title.slice(0, 1000), elements: document.getElementsByTagName('*').length,
      decoding: decoding(), canvases, embeds: spread || everywhere('video, iframe, frame, object, embed').some(seen), ...afterimage.left(), hides,
      late: afterimage.isLate(),
    };
  };

  // Tells whether the document has been read to its end, though scripts that it defers may still be awaited.
  const parsed = () => document.readyState !== 'loading';

  // What may move without telling the document around it.
  const movesByItself = () => everywhere('canvas, video, iframe, frame, object, embed, marquee').some(seen);

  // Tells whether anything may have moved since the page was stilled: if not, a second picture would show the same.
  const maybeMoving = () => disturbed || watching.takeRecords().some(moves) || movesByItself() ||
    roots().some((root) => root.getAnimations().some((animation) => animation.playState === 'running'));

  // Moves the date that the page's scripts in this frame are told, and tells how many ms ago they last asked for it; see
  // clock.js. A large number stands for never.
  const dated = (token, shift = 0) => {
    let age = Number.MAX_SAFE_INTEGER;
    addEventListener(`${token} answer`, (event) => { age = Math.min(event.detail, age); }, { once: true });
    dispatchEvent(new CustomEvent(token, { detail: shift }));
    return age;
  };

  // Keeps the page's scripts in this frame from noticing what a picture does to it; see clock.js.
  const suppressScripts = (token, on) => { dispatchEvent(new CustomEvent(`${token} suppress`, { detail: on })); };

  // Holds the clocks that the page's scripts see in this frame, or lets them go on; see clock.js.
  const holdClocks = (token, on) => { dispatchEvent(new CustomEvent(`${token} hold`, { detail: on })); };

  // Gives the page's scripts in this frame the frames for which they waited when scripts were disabled; see clock.js.
  const resumeFrames = (token) => { dispatchEvent(new CustomEvent(`${token} resume`)); };

  // Tells where the text changes from now on, and then where it did: rectangles of the page, before and after.
  let changing = null;
  const places = (nodes) => [...nodes].flatMap((node) => {
    const range = document.createRange();
    try { range.selectNodeContents(node); } catch { return []; }
    return [...range.getClientRects()].slice(0, 20).map(({ x, y, width, height }) => ({
      x: Math.floor(x + scrollX), y: Math.floor(y + scrollY), width: Math.ceil(width) + 1, height: Math.ceil(height) + 1,
    }));
  });
  const changes = () => {
    if (!changing) {
      const nodes = new Set();
      const observer = new MutationObserver((records) => {
        for (const { target } of records) if (nodes.size < 100) nodes.add(target);
      });
      for (const root of roots()) observer.observe(root, { subtree: true, childList: true, characterData: true });
      changing = { nodes, observer };
      return [];
    }
    changing.observer.disconnect();
    return places(changing.nodes);
  };

  return {
    variables, images, scroll, settle, halt, decoding, parsed, still, maybeMoving, dated, suppressScripts, holdClocks, changes,
    turned, resume, resumeFrames, changedAt, onResume, keepPlace, keepStyle, roots, everywhere, seen, adopt, frame, pause, // for the other parts
  };
})();
