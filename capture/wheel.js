// The part of our script in the page that finds what only the wheel brings on the screen: slides and lists that a script moves or exchanges
// when it is turned, without anything that scrolls. No picture of the page shows it, so it is told.
(() => {
  'use strict';

  const { roots, everywhere, parentOf, shownBox, onPage, onResume, pause } = afterimage;

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

  const mostCanvases = 4; // that are looked at, of one place
  const mostSized = 1000; // elements of a place
  const grain = 24; // points of a canvas in each direction
  const slack = 8; // px of content out of sight that nobody scrolls for

  const screen = () => innerWidth * innerHeight;
  const area = ({ width, height }) => Math.max(width, 0) * Math.max(height, 0);

  const silent = 'canvas, textarea, select'; // what is in them is not shown as a text

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
      if (text === '' && !picture && getComputedStyle(element).backgroundImage === 'none' || element.closest(silent)) continue;
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
    return found.filter(({ box, wide }) => (free || !wide) && box.width >= leastWidth && box.height >= leastHeight && onPage(box))
      .sort((a, b) => area(b.box) - area(a.box));
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

  const turnSome = async (place, by, times, watch = () => {}) => {
    for (let i = 0; i < times; i++) {
      turnOver(place, by);
      await pause(between);
      watch();
    }
    await pause(endTime);
    watch();
  };

  const canvasesIn = ({ element }) => {
    const all = [...element.matches('canvas') ? [element] : [], ...everywhere('canvas').filter((canvas) => element.contains(canvas))];
    return all.filter((canvas) => afterimage.seen(canvas) && onPage(shownBox(canvas))).slice(0, mostCanvases);
  };

  // What a canvas shows, coarsely; null where nobody may read it. What is drawn by its last frame is read in that frame.
  const drawn = (canvas) => {
    const copy = document.createElement('canvas');
    copy.width = copy.height = grain;
    try {
      const context = copy.getContext('2d');
      context.drawImage(canvas, 0, 0, grain, grain);
      return context.getImageData(0, 0, grain, grain).data.join();
    } catch { return null; }
  };

  const look = async (canvases) => {
    if (canvases.length === 0) return [];
    await new Promise((resolve) => { requestAnimationFrame(resolve); });
    return canvases.map(drawn);
  };

  // Canvases that show the same for a while if nothing is turned, and what that is.
  const calm = async (canvases) => {
    const first = await look(canvases);
    if (canvases.length > 0) await pause(comeTime);
    const second = await look(canvases);
    return canvases.map((canvas, i) => [canvas, first[i]]).filter(([, was], i) => was !== null && was === second[i]);
  };

  const changedOf = async (pictures) => {
    const now = await look(pictures.map(([canvas]) => canvas));
    return pictures.filter(([, was], i) => now[i] !== null && now[i] !== was).map(([canvas]) => canvas);
  };

  // Tells whether the page does anything if the wheel is turned once.
  const reacts = async (place, pictures, watch) => {
    let changed = false;
    const observer = new MutationObserver(() => { changed = true; });
    for (const root of roots()) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    const note = () => { changed = true; };
    document.addEventListener('scroll', note, true);
    const running = document.getAnimations().length;
    watch();
    turnOver(place, turn);
    for (let waited = 0; waited < comeTime; waited += between) {
      await pause(between);
      watch();
    }
    changed ||= observer.takeRecords().length > 0 || document.getAnimations().length !== running || (await changedOf(pictures)).length > 0;
    document.removeEventListener('scroll', note, true);
    observer.disconnect();
    return changed;
  };

  const moved = (part, before) => {
    const was = before.get(part.element);
    const { left, top } = part.element.getBoundingClientRect();
    return was ? { aside: Math.abs(left - was.left), down: Math.abs(top - was.top) } : { aside: 0, down: 0 };
  };

  // Notes the sizes of what is in a place. True once something has had another size than before, and the same form: it is zoomed.
  const zoomOf = (place) => {
    const sizes = new Map();
    let zoomed = false;
    return () => {
      const parts = zoomed ? [] : everywhere('*').filter((element) => place.element.contains(element)).slice(0, mostSized);
      for (const part of parts) {
        const { width, height } = part.getBoundingClientRect();
        const was = sizes.get(part);
        if (width < 4 || height < 4) continue;
        const [wider, higher] = was ? [width / was.width, height / was.height] : [1, 1];
        zoomed ||= Math.abs(wider - 1) > 0.05 && Math.abs(wider - higher) < 0.02 * wider;
        sizes.set(part, { width, height });
      }
      return zoomed;
    };
  };

  // Elements that hide the rest of what they hold, and how far they are scrolled: a script may do that.
  const hidingPlaces = () => new Map(everywhere('*').filter((element) => element.scrollHeight > element.clientHeight + slack &&
    element.clientHeight >= leastHeight && getComputedStyle(element).overflowY === 'hidden').map((element) => [element, element.scrollTop]));

  const withoutNumbers = (text) => text.replace(/[\d.,\s]+/g, ' ');
  const label = 12; // characters, of a number at an axis
  const readout = 30; // characters of what tells the state, such as a scale

  // Turns the wheel back until the page shows what it did, and tells what that is.
  const turnBack = async (place, by, before) => {
    let after = before;
    for (let i = 0; i < mostBack; i++) {
      await turnSome(place, by, turns);
      after = shown();
      if ([...before.keys()].every((key) => after.has(key))) break;
    }
    return after;
  };

  const turnOnce = async (place, by, watch) => {
    await turnSome(place, by, 1, watch);
    return shown();
  };

  // Maps and charts show other places and sizes, and their axes other numbers. Nobody reads on there. They can be turned to both sides
  // from where they begin, which is an end of a list or of slides; and if they fill the screen, what they show changes its size, or tells
  // its scale. The wheel has been turned once, and is turned back: a map is left at its size.
  const isMap = async (place, before, pictures, watch) => {
    await pause(endTime);
    const on = shown();
    const painted = (await changedOf(pictures)).length > 0;
    const again = await turnOnce(place, -turn, watch);
    const come = [...on.values()].filter(({ key }) => !before.has(key));
    const axis = come.length > 0 && come.every(({ text }) => text.length <= label && /\d/.test(text));
    if (watch() && axis) return true;
    const watchBack = zoomOf(place);
    watchBack();
    const other = await turnOnce(place, -turn, watchBack);
    const paintedBack = (await changedOf(pictures)).length > 0;
    if (![...other.keys()].some((key) => !again.has(key)) && [...again.keys()].every((key) => other.has(key)) && !paintedBack && !watchBack()) {
      return false;
    }
    await turnOnce(place, turn, watchBack);
    if (!place.wide || watch() || watchBack()) return true;
    const known = new Set([...before.keys(), ...again.keys()].map(withoutNumbers));
    const tells = come.every(({ text }) => text !== '' && text.length <= readout && known.has(withoutNumbers(text)));
    return tells && (painted && paintedBack || come.length > 0 && come.length <= 2);
  };

  // Turns the wheel over one place and back. What is there only in between depends on the wheel, and not on time.
  const probe = async (place) => {
    const before = shown();
    const boxes = new Map(everywhere('*').map((element) => [element, element.getBoundingClientRect()]));
    const hiding = hidingPlaces();
    const pictures = await calm(canvasesIn(place));
    const watch = zoomOf(place);
    if (!await reacts(place, pictures, watch) || await isMap(place, before, pictures, watch)) return [];
    await turnSome(place, turn, turns);
    for (const [element, top] of hiding) if (element.scrollTop > top) afterimage.scrollsByScript(element);
    // A small part that goes sideways is one of those that turn by themselves, too, or by buttons.
    const upright = (part) => moved(part, boxes).aside <= moved(part, boxes).down;
    const come = [...shown().values()].filter((part) => !before.has(part.key) && (place.wide || upright(part)));
    const changed = await changedOf(pictures);
    const after = await turnBack(place, -turn, before);
    const still = await changedOf(pictures);
    const canvases = changed.filter((canvas) => !still.includes(canvas)).map((element) => ({ key: element, element, text: '' }));
    if (come.length === 0) return canvases;
    await pause(endTime);
    const later = shown();
    const restless = [...after.values(), ...later.values()].filter(({ key }) => !after.has(key) || !later.has(key))
      .map(({ element }) => element.parentElement);
    const found = come.filter(({ key, element }) => !after.has(key) && !later.has(key) && !restless.some((part) => part?.contains(element)));
    return [...found, ...canvases];
  };

  let bound = [];

  // How many places of this document listen to the wheel.
  const wheels = (token) => places(token).length;

  // Looks for what listens to the wheel and shows other things then.
  const findWheeled = async (token, end) => {
    bound = [];
    onResume(() => { bound = []; });
    const points = new Set(); // a wheel that is turned somewhere is turned over all that is around it
    for (const place of places(token)) {
      const point = middle(place.box).map((at) => Math.round(at / 10)).join();
      if (points.has(point) || points.size >= mostPlaces || end()) continue;
      points.add(point);
      const found = await probe(place);
      bound.push(...found.filter(({ key }) => !bound.some((part) => part.key === key)).slice(0, mostTold));
    }
  };

  // The same in a frame, for so long.
  const findWheeledIn = (token, time) => {
    const end = performance.now() + time;
    return findWheeled(token, () => performance.now() >= end);
  };

  // What the picture does not show either.
  const wheeled = () => {
    if (bound.length === 0) return [];
    const all = shown();
    return bound.filter(({ key }) => !all.has(key)).map(({ element, text }) =>
      ({ kind: 'hidden', element: afterimage.named(element), ...text && { text } }));
  };

  Object.assign(afterimage, { wheels, findWheeled, findWheeledIn, wheeled });
})();
