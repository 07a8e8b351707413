// The part of our script in the page that deals with pictures, drawings and colours of what stays on the screen while the page is scrolled,
// and which are exchanged then: the frames of a pinned canvas, the graphic beside a text that goes by, the colour of the whole page. The
// picture of the page shows the first one.
(() => {
  'use strict';

  const { everywhere, shownBox, onPage, named, pinOf, canvasHash, graphicHash, pause } = afterimage;

  const leastArea = 40_000; // px; smaller ones are signs and logos
  const leastSide = 100; // px of what has a colour
  const mostPinned = 50; // parts that stay
  const mostInside = 500; // elements of one
  const mostHolders = 100; // elements that show pictures
  const mostStates = 50; // of one
  const mostPlaces = 3; // of one pinned part, at which its pictures are looked for again
  const mostTold = 20;
  const littleWay = 24; // px
  const comeTime = 700; // ms of the page's time that a picture may take to be exchanged
  const mostFrames = 60; // likewise, of a canvas
  const calmFrames = 20;
  const allTime = 6000; // likewise, for all places

  const fileName = (address) => {
    if (/^(data|blob):/.test(address)) return '';
    try { return new URL(address, document.baseURI).pathname.split('/').at(-1); } catch { return ''; }
  };

  const isLarge = ({ width, height }) => width * height >= leastArea && Math.min(width, height) > 1;

  const pseudos = [null, '::before', '::after'];

  const addressIn = (element) => {
    for (const pseudo of pseudos) {
      const { backgroundImage, content } = getComputedStyle(element, pseudo);
      if ((!pseudo || content !== 'none') && backgroundImage !== 'none') return backgroundImage;
    }
    return '';
  };

  const isWindow = (element) => element === document.documentElement || element === document.body;

  // What has words or leads somewhere is a header or a list of what follows: its colours are decoration.
  const isGraphic = (element) => isWindow(element) || element.textContent.trim() === '' && !element.matches('header, nav') &&
    !element.querySelector('a, button, input, nav');

  const isBroad = (width, height) => width * height >= leastArea && Math.min(width, height) >= leastSide;

  const coloursIn = (element) => (!isGraphic(element) ? [] : pseudos.map((pseudo) => {
    const { content, width, height, backgroundColor } = getComputedStyle(element, pseudo);
    if (pseudo && (content === 'none' || content === 'normal')) return '';
    const { offsetWidth, offsetHeight } = element;
    const broad = pseudo ? isBroad(parseFloat(width), parseFloat(height)) : isBroad(offsetWidth, offsetHeight);
    return broad && !/, 0\)$/.test(backgroundColor) ? backgroundColor : '';
  }));

  // How far a background is moved, in pixels: [right, down].
  const shiftOf = (element) => {
    const { backgroundPosition, backgroundSize } = getComputedStyle(element);
    const sizes = backgroundSize.split(',')[0].split(' ');
    return backgroundPosition.split(',')[0].split(' ').slice(0, 2).map((place, axis) => {
      const whole = axis === 0 ? element.clientWidth : element.clientHeight;
      const size = sizes[axis] ?? 'auto';
      const image = size.endsWith('%') ? parseFloat(size) / 100 * whole : parseFloat(size);
      if (place.endsWith('%')) return image > 0 ? parseFloat(place) / 100 * (whole - image) : 0;
      return parseFloat(place) || 0;
    });
  };

  // The same in halves of the element: a sprite sheet moves by whole ones.
  const sheetIn = (element) => {
    if (addressIn(element) === '') return '';
    const [right, down] = shiftOf(element);
    return [Math.round(2 * right / element.clientWidth), Math.round(2 * down / element.clientHeight)].join();
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

  const numbers = new WeakMap(); // of elements
  let numbered = 0;
  const numberOf = (element) => numbers.get(element) ?? numbers.set(element, ++numbered).get(element);

  // How an element itself looks, which no other one shows: what is drawn in it, its colours, and where its sprite sheet is.
  const lookIn = (element) => {
    const look = element.localName === 'svg' ? [element.ownerSVGElement ? '' : graphicHash(element)] :
      element instanceof HTMLElement ? [...coloursIn(element), sheetIn(element)] : [];
    return look.some((part) => part !== '' && part !== '0,0') ? `\n${numberOf(element)} ${look.join(' ')}` : '';
  };

  // What an element shows, on the screen or where it stands at the top of the page; '' for nothing. The first line is its picture.
  const stateOf = (element) => {
    if (!element.isConnected || !afterimage.visible(element)) return '';
    if (isWindow(element)) return lookIn(element);
    const box = shownBox(element);
    return isLarge(box) && onPage(box) ? pictureIn(element) + lookIn(element) : '';
  };

  const stays = (element) => {
    const { position } = getComputedStyle(element);
    return position === 'fixed' || position === 'sticky';
  };

  const pinned = () => everywhere('*').filter((element) =>
    isLarge(element.getBoundingClientRect()) && stays(element) && !afterimage.isMirror(element)).slice(0, mostPinned);

  const noted = new Map(); // by element: what it stays with, and by picture where the page was scrolled to

  const note = (element, pin) => {
    const state = noted.size < mostHolders || noted.has(element) ? stateOf(element) : '';
    if (state === '') return '';
    const { states } = noted.get(element) ?? noted.set(element, { pin: pinOf(element) ?? pin, states: new Map() }).get(element);
    if (!states.has(state) && states.size < mostStates) states.set(state, scrollY);
    return state;
  };

  const insideOf = (pin) => [pin, ...[...pin.querySelectorAll('*')].slice(0, mostInside)];

  // Notes which pictures, drawings and colours are on the screen.
  const lookAtExchanged = () => {
    for (const pin of pinned()) afterimage.noteScene(pin, insideOf(pin).map((element) => note(element, pin)));
    for (const element of [document.documentElement, document.body]) note(element, element);
  };

  // All that a part that stays shows now.
  const statesIn = (pin) => new Set(insideOf(pin).map(stateOf).filter((state) => state !== ''));

  const isCanvas = (element) => element.localName === 'canvas';

  // Waits until a test holds for all elements, and tells for which it does. A canvas may come to its goal a little further in each frame.
  const come = async (elements, test) => {
    const all = () => elements.every(test);
    if (elements.some(isCanvas)) for (let i = 0; i < mostFrames && !all(); i++) await afterimage.frame();
    else for (let waited = 0; waited < comeTime && !all(); waited += comeTime / 4) await pause(comeTime / 4);
    return elements.filter(test);
  };

  // What elements show when they have come to rest, without those that do not. What moves by itself would come back to what it showed
  // without anybody scrolling.
  const restingStates = async (elements) => {
    const states = new Map(elements.map((element) => [element, stateOf(element)]));
    const mayMove = (element) => isCanvas(element) || states.get(element).includes('\n');
    const moving = new Map(elements.filter(mayMove).map((element) => [element, 0])); // for how many frames they have been the same
    for (let frames = 0; frames < mostFrames && moving.size > 0; frames++) {
      await afterimage.frame();
      for (const [element, same] of moving) {
        const state = stateOf(element);
        if (state !== states.get(element)) moving.set(element, 0);
        else if (same + 1 === calmFrames) moving.delete(element);
        else moving.set(element, same + 1);
        states.set(element, state);
      }
    }
    for (const element of moving.keys()) states.delete(element);
    return states;
  };

  // Those whose background moves a little when the page is scrolled a little: that is an effect, and no sprite sheet.
  const gliding = async (at, elements, goTo) => {
    const sheets = new Map(elements.filter((element) => element instanceof HTMLElement && sheetIn(element) !== '')
      .map((element) => [element, { shift: shiftOf(element), picture: pictureIn(element) }]));
    if (sheets.size === 0) return new Set();
    await goTo(at - littleWay);
    await pause(comeTime / 4);
    return new Set([...sheets].filter(([element, { shift, picture }]) => {
      const [aside, down] = shiftOf(element).map((place, axis) => Math.abs(place - shift[axis]));
      return pictureIn(element) === picture && aside + down > 0 && aside < element.clientWidth / 4 && down < element.clientHeight / 4;
    }).map(([element]) => element));
  };

  let bound = []; // { element, state }: what a place of the page shows, and its top does not

  // Goes to a place where elements showed something else, and back: what they show depends on the place if both bring an exchange.
  const dependOn = async (at, firsts, goTo) => {
    await goTo(at);
    const others = await come([...firsts.keys()], (element) => !['', firsts.get(element)].includes(stateOf(element)));
    const glide = await gliding(at, others, goTo);
    await goTo(0);
    return come(others.filter((element) => !glide.has(element)), (element) => stateOf(element) === firsts.get(element));
  };

  const findExchanged = async (goTo) => {
    bound = [];
    const shown = new Set([...noted.keys()].map(stateOf));
    const others = [...noted].flatMap(([element, { pin, states }]) =>
      [...states].filter(([state]) => !shown.has(state)).map(([state, at]) => ({ element, pin, state, at })));
    const tried = new Map(); // by pinned part: at how many places
    const found = new Set();
    const end = performance.now() + allTime;
    const open = () => others.filter(({ pin }) => !found.has(pin) && (tried.get(pin) ?? 0) < mostPlaces);
    for (let parts = open(); parts.length > 0 && performance.now() < end; parts = open()) {
      const [{ at }] = parts;
      const here = parts.filter((part) => part.at === at);
      for (const pin of new Set(here.map((part) => part.pin))) tried.set(pin, (tried.get(pin) ?? 0) + 1);
      const firsts = await restingStates([...new Set(here.map(({ element }) => element))]);
      for (const { element, pin } of here) if (!firsts.has(element)) tried.set(pin, mostPlaces);
      if (firsts.size === 0) continue;
      const depend = new Set(await dependOn(at, firsts, goTo));
      for (const { element, pin } of here) if (depend.has(element)) found.add(pin);
    }
    for (const pin of await afterimage.findScenes(found, goTo)) found.add(pin);
    bound = others.filter(({ pin }) => found.has(pin));
    const files = (pin) => bound.filter((part) => part.pin === pin && !isCanvas(part.element)).map(({ state }) => state.split('\n')[0]);
    await afterimage.walkThrough(new Map([...found].map((pin) => [pin, files(pin).filter(Boolean)])), goTo);
  };

  const forgetExchanged = () => {
    noted.clear();
    bound = [];
  };

  // Those of them that the picture does not show either: each file by its name, a canvas once.
  const exchanged = () => {
    const shown = new Set([...noted.keys()].map(stateOf));
    const told = new Map();
    for (const { element, state } of bound.filter((part) => !shown.has(part.state) && !afterimage.isRead(part.pin))) {
      const [picture] = state.split('\n');
      const address = /url\("([^"]*)"\)/.exec(picture)?.[1] ?? (element.matches('img, video, image') ? picture : '');
      const text = address && fileName(address);
      told.set(`${named(element)} ${text}`, { kind: 'hidden', element: named(element), text });
    }
    return [...told.values()].slice(0, mostTold);
  };

  Object.assign(afterimage, { lookAtExchanged, statesIn, findExchanged, exchanged, forgetExchanged, fileName });
})();
