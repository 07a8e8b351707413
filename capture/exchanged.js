// The part of our script in the page that deals with pictures of what stays on the screen while the page is scrolled, and which are
// exchanged then: the frames of a pinned canvas, the picture beside a text that goes by. The picture of the page shows the first one.
(() => {
  'use strict';

  const { everywhere, shownBox, onPage, named, pinOf, canvasHash } = afterimage;

  const leastArea = 40_000; // px; smaller ones are signs and logos
  const mostPinned = 50; // parts that stay
  const mostInside = 500; // elements of one
  const mostHolders = 100; // elements that show pictures
  const mostStates = 50; // of one
  const mostPlaces = 3; // of one pinned part, at which its pictures are looked for again
  const mostTold = 20;
  const comeTime = 700; // ms of the page's time that a picture may take to be exchanged
  const mostFrames = 60; // likewise, of a canvas
  const calmFrames = 20;
  const allTime = 6000; // likewise, for all places

  const fileName = (address) => {
    if (/^(data|blob):/.test(address)) return '';
    try { return new URL(address, document.baseURI).pathname.split('/').at(-1); } catch { return ''; }
  };

  const isLarge = ({ width, height }) => width * height >= leastArea && Math.min(width, height) > 1;

  const addressIn = (element) => {
    for (const pseudo of [null, '::before', '::after']) {
      const { backgroundImage, content } = getComputedStyle(element, pseudo);
      if ((!pseudo || content !== 'none') && backgroundImage !== 'none') return backgroundImage;
    }
    return '';
  };

  const pictureIn = (element) => {
    switch (element.localName) {
      case 'img': return element.currentSrc;
      case 'video': return element.poster;
      case 'canvas': return canvasHash(element);
      case 'image': return element.ownerSVGElement ? element.href.baseVal : '';
    }
    return element instanceof HTMLElement ? addressIn(element) : '';
  };

  // What an element shows of a picture, on the screen or where it stands at the top of the page; '' for nothing.
  const stateOf = (element) => {
    if (!element.isConnected || !afterimage.visible(element)) return '';
    const box = shownBox(element);
    return isLarge(box) && onPage(box) ? pictureIn(element) : '';
  };

  const stays = (element) => {
    const { position } = getComputedStyle(element);
    return position === 'fixed' || position === 'sticky';
  };

  const pinned = () => everywhere('*').filter((element) =>
    isLarge(element.getBoundingClientRect()) && stays(element) && !afterimage.isMirror(element)).slice(0, mostPinned);

  const noted = new Map(); // by element: what it stays with, and by picture where the page was scrolled to

  const noteIn = (pin) => {
    for (const element of [pin, ...[...pin.querySelectorAll('*')].slice(0, mostInside)]) {
      const state = noted.size < mostHolders || noted.has(element) ? stateOf(element) : '';
      if (state === '') continue;
      const { states } = noted.get(element) ?? noted.set(element, { pin: pinOf(element) ?? pin, states: new Map() }).get(element);
      if (!states.has(state) && states.size < mostStates) states.set(state, scrollY);
    }
  };

  // Notes which pictures are on the screen.
  const lookAtExchanged = () => { for (const pin of pinned()) noteIn(pin); };

  const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

  // A canvas may come to its goal a little further in each frame.
  const comes = async (element, test) => {
    if (element.localName === 'canvas') for (let i = 0; i < mostFrames && !test(); i++) await afterimage.frame();
    else for (let waited = 0; waited < comeTime && !test(); waited += comeTime / 4) await pause(comeTime / 4);
    return test();
  };

  // What an element shows when it has come to rest; null if it does not. A canvas that moves by itself would come back to what it showed
  // without anybody scrolling.
  const restingState = async (element) => {
    let state = stateOf(element);
    if (element.localName !== 'canvas') return state;
    for (let frames = 0, same = 0; frames < mostFrames && same < calmFrames; frames++) {
      await afterimage.frame();
      const next = stateOf(element);
      same = next === state ? same + 1 : 0;
      state = next;
      if (same === calmFrames) return state;
    }
    return null;
  };

  let bound = []; // { element, state }: what a place of the page shows, and its top does not

  // Goes to a place where an element showed another picture, and back: what it shows depends on the place if both bring an exchange.
  const dependsOn = async (at, element, first, goTo) => {
    await goTo(at);
    if (!await comes(element, () => { const state = stateOf(element); return state !== first && state !== ''; })) return false;
    await goTo(0);
    return comes(element, () => stateOf(element) === first);
  };

  const findExchanged = async (goTo) => {
    bound = [];
    const shown = new Set([...noted.keys()].map(stateOf));
    const others = [...noted].flatMap(([element, { pin, states }]) =>
      [...states].filter(([state]) => !shown.has(state)).map(([state, at]) => ({ element, pin, state, at })));
    const tried = new Map(); // by pinned part: at how many places
    const found = new Set();
    const end = performance.now() + allTime;
    for (const { element, pin, at } of others) {
      if (found.has(pin) || (tried.get(pin) ?? 0) >= mostPlaces || performance.now() >= end) continue;
      const first = await restingState(element);
      tried.set(pin, first === null ? mostPlaces : (tried.get(pin) ?? 0) + 1);
      if (first !== null && await dependsOn(at, element, first, goTo)) found.add(pin);
      await goTo(0);
    }
    bound = others.filter(({ pin }) => found.has(pin));
  };

  const forgetExchanged = () => {
    noted.clear();
    bound = [];
  };

  // Those of them that the picture does not show either: each file by its name, a canvas once.
  const exchanged = () => {
    const shown = new Set([...noted.keys()].map(stateOf));
    const told = new Map();
    for (const { element, state } of bound.filter((part) => !shown.has(part.state))) {
      const text = element.localName === 'canvas' ? '' : fileName(/url\("([^"]*)"\)/.exec(state)?.[1] ?? state);
      told.set(`${named(element)} ${text}`, { kind: 'hidden', element: named(element), text });
    }
    return [...told.values()].slice(0, mostTold);
  };

  Object.assign(afterimage, { lookAtExchanged, findExchanged, exchanged, forgetExchanged, fileName });
})();
