// The part of our script in the page that tells of tickers: lines that an endless animation or a script moves through a box, which hides
// the rest of them. No picture shows all of what goes by.
(() => {
  'use strict';

  const { seen, shownBox, onPage, named, windowScrolls, parentOf, held, shownIn, extentOf, scrollers, everywhere } = afterimage;

  const slack = 8; // px
  const leastWidth = 60; // px of a box
  const leastHeight = 10;
  const mostMovers = 100;
  const mostNodes = 2000; // of one ticker
  const mostAround = 6; // boxes around what moves, of which one may hide the rest
  const manyMoves = 5; // of a script, after which something is taken for a ticker

  const places = ['transform', 'translate', 'offsetDistance', 'left', 'right', 'top', 'bottom', 'marginLeft', 'marginTop', 'textIndent'];

  const animated = new Set(); // elements that an endless animation moved
  const moves = new Map(); // by element: how often a script has moved it, or scrolled it

  // Notes what an endless animation moves, which is taken away.
  const noteEndless = ({ effect }) => {
    const { target, pseudoElement } = effect;
    if (pseudoElement || animated.size >= mostMovers) return;
    if (effect.getKeyframes().some((frame) => places.some((name) => name in frame))) animated.add(target);
  };

  let paused = 0; // while our script scrolls the page, other things move with it

  const count = (element) => {
    if (paused > 0 || moves.size >= mostMovers && !moves.has(element)) return;
    moves.set(element, (moves.get(element) ?? 0) + 1);
  };

  const moving = /transform|translate|left|top|margin|indent/;
  const noteMoves = (records) => {
    for (const { type, attributeName, target } of records) {
      if (type === 'attributes' && attributeName === 'style' && moving.test(target.style?.cssText)) count(target);
    }
  };

  document.addEventListener('scroll', ({ target, isTrusted }) => { if (isTrusted && target instanceof Element) count(target); }, true);

  const whileScrolling = async (action) => {
    paused++;
    try { return await action(); } finally { paused--; }
  };

  const hides = ({ overflowX, overflowY }) => [overflowX, overflowY].some((overflow) => overflow === 'hidden' || overflow === 'clip');

  // What a shape cuts off is beyond the box of its element, whatever the shape.
  const within = (shown, element) => {
    const box = element.getBoundingClientRect();
    const [left, top] = [Math.max(shown.left, box.left), Math.max(shown.top, box.top)];
    const [right, bottom] = [Math.min(shown.right, box.right), Math.min(shown.bottom, box.bottom)];
    return { left, top, right, bottom, width: right - left, height: bottom - top };
  };

  // The box that hides the rest of what moves, { element, shown }; null if there is none: then it is in the picture.
  const boxAround = (mover) => {
    let around = mover;
    for (let n = 0; around && around !== document.body && n < mostAround; around = parentOf(around), n++) {
      const style = getComputedStyle(around);
      if (hides(style)) return { element: around, shown: shownBox(around) };
      if (style.clipPath !== 'none' && around !== mover) return { element: around, shown: within(shownBox(around), around) };
    }
    if (window !== top || windowScrolls().aside) return null;
    return { element: mover, shown: { left: 0, top: -Infinity, right: document.documentElement.clientWidth, bottom: Infinity } };
  };

  // The words and pictures of a ticker: { extent, what }.
  const entriesIn = (mover) => {
    const found = [];
    const all = [mover];
    for (let i = 0; i < all.length && all.length + found.length < mostNodes; i++) {
      for (const node of shownIn(all[i])) {
        const picture = node.nodeType === Node.ELEMENT_NODE && node.matches('img, svg');
        if (node.nodeType === Node.ELEMENT_NODE && !picture) all.push(node);
        const what = picture ? node.currentSrc || node.outerHTML : node.nodeType === Node.TEXT_NODE ? node.data.trim() : '';
        const visible = what !== '' && (picture ? node : all[i]).checkVisibility({ visibilityProperty: true });
        if (visible) found.push({ extent: extentOf(node), what });
      }
    }
    return found;
  };

  // How far something lies beyond a box, and on which side.
  const farthest = (shown, { left, top, right, bottom, width, height }) => (width < 1 || height < 1 ? { side: '', pixels: 0 } :
    [['right', right - shown.right], ['below', bottom - shown.bottom], ['left', shown.left - left], ['above', shown.top - top]]
      .map(([side, pixels]) => ({ side, pixels: Math.round(pixels) })).reduce((most, next) => (next.pixels > most.pixels ? next : most)));

  // What is at rest is told by what is out of sight, what a script or the browser moves as a whole: where it is was a matter of time.
  const tickerOf = (mover, rests) => {
    const box = boxAround(mover);
    if (!box || !seen(box.element)) return null;
    const { width = innerWidth, height = innerHeight } = box.shown;
    if (width < leastWidth || height < leastHeight || 'width' in box.shown && !onPage(box.shown)) return null;
    const isOut = (extent) => farthest(box.shown, extent).pixels > slack;
    const entries = entriesIn(mover);
    const known = new Set(entries.filter(({ extent }) => !isOut(extent)).map(({ what }) => what));
    const hidden = entries.filter(({ extent, what }) => isOut(extent) && !known.has(what));
    if (hidden.length === 0) return null;
    const most = hidden.map(({ extent }) => farthest(box.shown, extent)).reduce((one, next) => (next.pixels > one.pixels ? next : one));
    return { element: box.element, mover, ...most, holds: held(mover, box.shown, most.pixels, rests ? isOut : () => true) };
  };

  const movers = () => [...[...animated].map((mover) => [mover, true]),
    ...[...moves].filter(([, n]) => n >= manyMoves).map(([mover]) => [mover, false]),
    ...everywhere('marquee').map((mover) => [mover, false])].filter(([mover]) => mover.isConnected).slice(0, mostMovers);

  // The tickers, as parts that are missing. What is told as a strip or as a box that scrolls is none.
  const tickers = (strips) => {
    const told = [...strips, ...scrollers().map(({ element }) => element)];
    const found = [];
    for (const [mover, rests] of movers()) {
      if (told.some((other) => other.contains(mover))) continue;
      if (found.some((other) => other.mover.contains(mover) || mover.contains(other.mover))) continue;
      const ticker = tickerOf(mover, rests);
      if (ticker) found.push(ticker);
    }
    return found.map(({ element, side, pixels, holds }) => ({ kind: 'scrolled', element: named(element), side, pixels, holds }));
  };

  Object.assign(afterimage, { noteEndless, noteMoves, whileScrolling, tickers });
})();
