// The part of our hand in the page that finds what only the wheel brings on the screen: slides and lists that a script moves or exchanges
// when it is turned, without anything that scrolls. No picture of the page shows it, so it is told.
(() => {
  'use strict';

  const { roots, everywhere, parentOf, shownBox, onPage, onResume } = afterimage;

  const turn = 120; // px: one notch of a wheel
  const turns = 4; // some pages add up a few, others go one slide further and do not listen for a while
  const between = 50; // ms of the page's time
  const comeTime = 250; // likewise, until something of the page has changed; where nothing has, nothing reacts
  const endTime = 900; // likewise, for what moves then
  const mostBack = 4; // times that it is turned back until the page is as it was
  const mostPlaces = 4;
  const mostTold = 3; // parts of a place
  const leastWidth = 120; // px of what may move
  const leastHeight = 60;

  // Maps show other places and sizes, and drawings of figures others of their axes. Nobody reads on there.
  const maps = '.leaflet-container, .mapboxgl-map, .maplibregl-map, .ol-viewport, .gm-style, .esri-view, [aria-roledescription=map], ' +
    'canvas, svg, input, textarea, select';

  // Boxes with bars of a script library are made as high as their content.
  const railed = '.ps, .ps-container, .mCustomScrollBox, [data-simplebar], [data-overlayscrollbars-viewport], .nicescroll';

  const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

  const screen = () => innerWidth * innerHeight;
  const area = ({ width, height }) => Math.max(width, 0) * Math.max(height, 0);

  const opaque = (element) => {
    if (element.matches('img, video, canvas, picture')) return true;
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return backgroundImage !== 'none' || /^rgb\(/.test(backgroundColor);
  };

  // What lies behind something else is not seen.
  const covered = (element, { left, top, width, height }) => {
    const [x, y] = [left + width / 2, top + height / 2];
    for (const above of element.getRootNode().elementsFromPoint(x, y)) {
      if (above === element || above.contains(element) || element.contains(above)) return false;
      if (opaque(above)) return true;
    }
    return false;
  };

  // What the page shows: texts, and pictures that take a quarter of the screen. By what they are, with the element and its place.
  const shown = () => {
    const found = new Map();
    for (const element of everywhere('*')) {
      const text = afterimage.ownText(element);
      const picture = element.matches('img, video');
      if (text === '' && !picture && getComputedStyle(element).backgroundImage === 'none' || element.closest(maps)) continue;
      if (!afterimage.visible(element)) continue;
      const box = shownBox(element);
      if (box.width <= 1 || box.height <= 1 || !onPage(box) || text === '' && area(box) < screen() / 4 || covered(element, box)) continue;
      const key = text || element.currentSrc || getComputedStyle(element).backgroundImage;
      if (!found.has(key)) found.set(key, { key, text, element });
    }
    return found;
  };

  // What listens, the largest first, as { element, box, wide }. React has the whole page listen: where that can be scrolled, the wheel
  // scrolls it.
  const places = (token) => {
    const targets = new Set(everywhere('[onwheel], [onmousewheel]'));
    const add = (event) => {
      event.stopImmediatePropagation();
      targets.add(event.composedPath()[0]);
    };
    addEventListener(`${token} wheeled`, add, { capture: true });
    dispatchEvent(new CustomEvent(`${token} wheels`));
    removeEventListener(`${token} wheeled`, add, { capture: true });
    const free = !afterimage.windowScrolls().down || document.documentElement.scrollHeight <= innerHeight + 8;
    const boxOf = (element) => (element === document.body ? new DOMRect(0, 0, innerWidth, innerHeight) : shownBox(element));
    const found = [...targets].map((target) => (target instanceof Element ? target : document.body)).filter(Boolean)
      .map((element) => ({ element, box: boxOf(element) })).map((place) => ({ ...place, wide: area(place.box) > screen() / 2 }));
    return found.filter(({ element, box, wide }) => (free || !wide) && box.width >= leastWidth && box.height >= leastHeight &&
      onPage(box) && !element.closest(maps) && !element.matches(railed)).sort((a, b) => area(b.box) - area(a.box));
  };

  const middle = ({ left, top, width, height }) => {
    const within = (from, length, most) => (Math.max(from, 0) + Math.min(from + length, most)) / 2;
    return [within(left, width, innerWidth), within(top, height, innerHeight)];
  };

  // The element in the middle of a place; the place itself where something else lies above it.
  const inMiddle = ({ element, box }) => {
    const at = afterimage.deepest(...middle(box));
    for (let around = at; around; around = parentOf(around)) if (around === element) return at;
    return element;
  };

  // Turns the wheel over a place. Only scripts notice: the browser scrolls nothing.
  const turnOver = (place, by) => {
    const [clientX, clientY] = middle(place.box);
    const properties = { deltaY: by, wheelDeltaY: -by, clientX, clientY, bubbles: true, cancelable: true, composed: true, view: window };
    const at = inMiddle(place);
    for (const type of ['wheel', 'mousewheel']) at.dispatchEvent(new WheelEvent(type, properties));
  };

  const turnSome = async (place, by, times) => {
    for (let i = 0; i < times; i++) {
      turnOver(place, by);
      await pause(between);
    }
    await pause(endTime);
  };

  // Tells whether the page does anything if the wheel is turned once.
  const reacts = async (place) => {
    let changed = false;
    const observer = new MutationObserver(() => { changed = true; });
    for (const root of roots()) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    const running = document.getAnimations().length;
    turnOver(place, turn);
    await pause(comeTime);
    changed ||= observer.takeRecords().length > 0 || document.getAnimations().length !== running;
    observer.disconnect();
    return changed;
  };

  const moved = (part, before) => {
    const was = before.get(part.element);
    const { left, top } = part.element.getBoundingClientRect();
    return was ? { aside: Math.abs(left - was.left), down: Math.abs(top - was.top) } : { aside: 0, down: 0 };
  };

  // Turns the wheel over one place and back. What is there only in between depends on the wheel, and not on time.
  const probe = async (place) => {
    const before = shown();
    const boxes = new Map(everywhere('*').map((element) => [element, element.getBoundingClientRect()]));
    if (!await reacts(place)) return [];
    await turnSome(place, turn, turns - 1);
    // A small part that goes sideways is one of those that turn by themselves, too, or by buttons.
    const upright = (part) => moved(part, boxes).aside <= moved(part, boxes).down;
    const come = [...shown().values()].filter((part) => !before.has(part.key) && (place.wide || upright(part)));
    let after = before;
    for (let i = 0; i < mostBack; i++) {
      await turnSome(place, -turn, turns);
      after = shown();
      if ([...before.keys()].every((key) => after.has(key))) break;
    }
    if (come.length === 0) return [];
    await pause(endTime);
    const later = shown();
    const restless = [...after.values(), ...later.values()].filter(({ key }) => !after.has(key) || !later.has(key))
      .map(({ element }) => element.parentElement);
    return come.filter(({ key, element }) => !after.has(key) && !later.has(key) && !restless.some((part) => part?.contains(element)));
  };

  let bound = [];

  // Looks for what listens to the wheel and shows other things then.
  const findWheeled = async (token, end) => {
    bound = [];
    onResume(() => { bound = []; });
    const points = new Set(); // a wheel that is turned somewhere is turned over all that is around it
    for (const place of places(token)) {
      const point = middle(place.box).map((at) => Math.round(at / 10)).join();
      if (points.has(point) || points.size >= mostPlaces || end() || !place.wide && inMiddle(place).closest(maps)) continue;
      points.add(point);
      bound.push(...(await probe(place)).slice(0, mostTold));
    }
  };

  // What the picture does not show either.
  const wheeled = () => {
    if (bound.length === 0) return [];
    const all = shown();
    return bound.filter(({ key }) => !all.has(key)).map(({ element, text }) =>
      ({ kind: 'hidden', element: afterimage.named(element), ...text && { text } }));
  };

  Object.assign(afterimage, { findWheeled, wheeled });
})();
