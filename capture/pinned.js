// The part of our script in the page that deals with what stays on the screen while the page is scrolled, and shows other things then: the
// slides of a pinned part, words that change with the place, a box that comes with it. One picture of the whole page does not show all
// of it, so it is told.
(() => {
  'use strict';

  const { everywhere, parentOf, onPage, shownBox } = afterimage;

  const mostWatched = 4000; // texts
  const mostProbed = 24; // places of the page at which they are looked for again
  const mostTries = 2; // places for one element
  const probeTime = 8000; // ms of the page's time, for all places
  const mostTold = 20;
  const comeBack = 700; // ms of the page's time that a text may take to show again
  const fewWords = 3; // of what leads back to the top

  const pinOf = (element) => {
    for (let around = element; around instanceof Element; around = parentOf(around)) {
      const { position } = getComputedStyle(around);
      if (position === 'fixed' || position === 'sticky') return around;
    }
    return null;
  };

  const nearlyScreen = (element) => element.offsetHeight > 0.8 * innerHeight;

  // A scene is pinned as a whole: what it showed is not found again further down.
  const isScene = (pin) => pin !== null && (getComputedStyle(pin).position === 'fixed' || nearlyScreen(pin));

  const staysLong = (element) => nearlyScreen(element) && getComputedStyle(element).position === 'sticky' &&
    parentOf(element)?.offsetHeight > element.offsetHeight + innerHeight / 2;

  const leastMoved = 40_000; // px of what a style changes with the scroll position; less is a bar that shows how far one has got
  const isMoved = ({ timeline, effect }) => {
    if (!(timeline instanceof ScrollTimeline) || !effect?.target || !pinOf(effect.target)) return false;
    const { width, height } = effect.target.getBoundingClientRect();
    return width * height >= leastMoved;
  };

  // Tells whether the page has a scene that stays for more than half a screen, or a part that a style changes with the scroll position.
  // They may change without a change of the document.
  let scenes;
  const hasScene = () => {
    scenes ??= document.documentElement.scrollHeight > 1.5 * innerHeight && (document.getAnimations().some(isMoved) ||
      everywhere('*').some((element) => element.offsetHeight !== undefined && staysLong(element)));
    return scenes;
  };

  const watched = []; // { element, pin, text, at }: what was on the screen, what it stays with, and where the page was scrolled to
  const texts = new Map(); // by element: those that it has had
  const pins = new Map(); // by element: what it stays with

  const add = (element, pin, text) => {
    if (text === '' || texts.get(element)?.has(text) || watched.length >= mostWatched) return;
    texts.set(element, (texts.get(element) ?? new Set()).add(text));
    watched.push({ element, pin, text, at: scrollY });
  };

  // Notes what is on the screen. True for a part of a scene.
  const noteIfPinned = (element) => {
    const pin = pinOf(element);
    if (pin) {
      pins.set(element, pin);
      add(element, pin, afterimage.ownText(element));
    }
    return isScene(pin);
  };

  // Notes the other words that noted elements have now.
  const lookAtPinned = () => {
    for (const [element, pin] of pins) if (afterimage.visible(element)) add(element, pin, afterimage.ownText(element));
  };

  // What leads back to the top of the page is there only further down, and nobody misses it: a link within the page, or a button of few
  // words without a number.
  const leadsBack = ({ element, text }) => text.split(/\s+/).length <= fewWords &&
    (element.closest('a[href^="#"]') !== null || !/\d/.test(text) && element.closest('button, [role=button]') !== null);

  const isShown = (element) => {
    if (!afterimage.visible(element)) return false;
    const box = shownBox(element);
    return box.width > 1 && box.height > 1 && onPage(box);
  };

  const shownTexts = () => new Set(everywhere('*').map((element) => [element, afterimage.ownText(element)])
    .filter(([element, text]) => text !== '' && isShown(element)).map(([, text]) => text));

  const onScreen = (element) => {
    const { left, top, right, bottom } = shownBox(element);
    return right > 1 && bottom > 1 && left < innerWidth - 1 && top < innerHeight - 1;
  };

  const isBack = ({ element, text }) => isShown(element) && onScreen(element) && afterimage.ownText(element) === text;

  let bound = []; // what a place of the page shows, and the page at its top does not

  // Goes to a place where texts were seen, and tells which of them come back.
  const backAt = async (parts, goTo) => {
    await goTo(parts[0].at);
    for (let waited = 0; waited < comeBack && !parts.every(isBack); waited += comeBack / 4) {
      await new Promise((resolve) => { setTimeout(resolve, comeBack / 4); });
    }
    return parts.filter(isBack);
  };

  // Goes back to where texts were seen that are not there now. What does not come back with its place was a matter of time; what one
  // text of a pinned part does, the others do. Where there are too many places, the rest is taken for bound.
  const findBound = async (goTo) => {
    bound = [];
    if (watched.length === 0) return;
    const shown = shownTexts();
    const missing = watched.filter((part) => !shown.has(part.text) && !leadsBack(part));
    const places = new Set();
    const tried = new Map(); // by element: at how many places
    const found = new Set(); // pinned parts that show other things at other places
    const end = performance.now() + probeTime;
    const next = (tries) => missing.find(({ element, pin, at }) => !found.has(pin) && !places.has(at) && (tried.get(element) ?? 0) < tries);
    for (let tries = 1; tries <= mostTries; tries++) {
      for (let part = next(tries); part && places.size < mostProbed && performance.now() < end; part = next(tries)) {
        places.add(part.at);
        const parts = missing.filter(({ at }) => at === part.at);
        for (const { element } of parts) tried.set(element, (tried.get(element) ?? 0) + 1);
        for (const { pin } of await backAt(parts, goTo)) found.add(pin);
      }
    }
    if (places.size > 0) await goTo(0);
    bound = missing.filter(({ element, pin }) => found.has(pin) || !tried.has(element));
  };

  const boundPins = () => [...new Set(bound.map(({ pin }) => pin))];
  const boundTexts = (pin) => bound.filter((part) => part.pin === pin).map(({ text }) => text);

  const forgetPinned = () => {
    watched.length = 0;
    texts.clear();
    pins.clear();
    bound = [];
  };

  // Those of them that the picture does not show either, the first one of each pinned part before the second ones.
  const passing = () => {
    if (bound.length === 0) return [];
    const shown = shownTexts();
    const turns = new Map();
    const turnOf = ({ pin }) => turns.set(pin, (turns.get(pin) ?? 0) + 1).get(pin);
    return bound.filter(({ text, pin }) => !shown.has(text) && !afterimage.isRead(pin))
      .map((part) => ({ part, turn: turnOf(part) })).sort((a, b) => a.turn - b.turn)
      .slice(0, mostTold).map(({ part }) => ({ kind: 'hidden', element: afterimage.named(part.element), text: part.text }));
  };

  Object.assign(afterimage, { pinOf, hasScene, noteIfPinned, lookAtPinned, findBound, boundPins, boundTexts, passing, forgetPinned });
})();
