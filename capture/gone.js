// The part of our script in the page that tells of words and pictures that were on the screen while the page was scrolled and do not come
// back: they have left an empty place, or went when they left the screen. What something else has replaced, or what went while it was on
// the screen, was meant to go: loaders, messages, closed banners.
(() => {
  'use strict';

  const { everywhere, parentOf, named, deepest, ownText, visible, noteSeen, restyledElements } = afterimage;

  const mostTold = 20;
  const mostKnown = 4000; // elements
  const leastPicture = 10_000; // px; smaller ones are signs
  const leastText = 6; // px; less is only for those who listen
  const fewInside = 30; // elements of a small box
  const mostAround = 6; // boxes, of which one may be folded
  const fewWords = 3; // of a hint how to go on
  const pictures = 'img, canvas, video, svg';
  const shows = `${pictures}, iframe, object, embed, input, button, select, textarea`;

  const nothing = { left: NaN, top: NaN, right: NaN, bottom: NaN };
  const everything = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

  const onPage = ({ left, top, width, height }) =>
    ({ left: left + scrollX, top: top + scrollY, right: left + scrollX + width, bottom: top + scrollY + height, width, height });

  const cut = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });

  // Tells of elements whether the layout places them and all that is around them, and what this leaves of them; asked of each element once.
  const surroundings = () => {
    const told = new Map();
    const around = (element) => {
      if (!element || element === document.body || element === document.documentElement) return { flows: true, within: everything };
      if (told.has(element)) return told.get(element);
      const { position, overflowX, overflowY } = getComputedStyle(element);
      const { flows, within } = around(parentOf(element));
      const clips = overflowX !== 'visible' || overflowY !== 'visible';
      const state = {
        flows: flows && !/absolute|fixed|sticky/.test(position),
        within: clips ? cut(within, onPage(element.getBoundingClientRect())) : within,
      };
      told.set(element, state);
      return state;
    };
    return around;
  };

  const inFlow = (element) => surroundings()(element).flows;

  const isPicture = (element, { width, height }) => element.matches(pictures) && !element.ownerSVGElement && width * height >= leastPicture;

  // The words and pictures of the page by element, and where they were on it: { text, box, shown, drawing, around, left, first }; first is
  // the same before the page was scrolled, if there was such a thing.
  const known = new Map();

  const know = (element, text, box, shown) => {
    if (known.size >= mostKnown) return null;
    const drawing = shown && element.localName === 'svg' ? afterimage.drawingOf(element) : 0;
    const part = { text, box, shown, drawing, around: parentOf(element), left: false };
    known.set(element, part);
    return part;
  };

  // Notes what the page shows before it is scrolled.
  const notePresent = () => {
    if (document.scripts.length === 0 || known.size > 0) return;
    const around = surroundings();
    for (const element of everywhere('*')) {
      const text = ownText(element);
      if (text === '' && !element.matches(pictures)) continue;
      const box = onPage(element.getBoundingClientRect());
      const { flows, within } = around(element);
      const { left, top, right, bottom } = cut(box, within);
      const large = text !== '' ? right - left > leastText && bottom - top > leastText : isPicture(element, box);
      const part = know(element, text, box, flows && large && right > 0 && left < innerWidth && bottom > 0 && visible(element));
      if (part) part.first = { ...part };
    }
  };

  // Notes what was not there before.
  const noteCome = (element, text, box) => {
    const part = known.get(element);
    if (part?.shown && part.text === text || text === '' && !element.matches(pictures)) return;
    known.delete(element);
    const now = know(element, text, onPage(box), inFlow(element));
    if (now) now.first = part?.first;
  };

  const isFolded = (element) => {
    for (let around = element, n = 0; around instanceof Element && n < mostAround; around = parentOf(around), n++) {
      if (around.offsetHeight <= 1 && getComputedStyle(around).overflowY === 'hidden') return true;
    }
    return false;
  };

  const isThere = (element, { text, drawing }) => visible(element) && (text === '' || ownText(element) === text) && !isFolded(element) &&
    (drawing === 0 || !afterimage.isEmptied(element, drawing));

  let reached = 0; // px of the page that were on the screen
  const reach = (bottom) => { reached = Math.max(reached, bottom); };

  // Elements by whether they were out of sight when their style first changed: what fades then is gone only later.
  const restyledAway = new Map();

  const isAway = ({ top, bottom, height }) => height > 0 && (bottom <= 0 || top >= innerHeight);

  const wasRestyledAway = (element) => {
    for (let around = element; around; around = parentOf(around)) if (restyledAway.get(around)) return true;
    return false;
  };

  // Notes what was on the screen and went when it was not, or began to.
  const noteLeft = () => {
    reach(scrollY + innerHeight);
    for (const element of restyledElements) {
      if (!restyledAway.has(element)) restyledAway.set(element, isAway(element.getBoundingClientRect()));
    }
    for (const [element, part] of known) {
      const { box: { top }, shown } = part;
      if (!shown || top >= reached || isThere(element, part)) continue;
      part.shown = false;
      part.left = top < scrollY || top >= scrollY + innerHeight || wasRestyledAway(element);
      if (part.left) noteSeen(element, part);
    }
  };

  const hasLeft = (element) => known.get(element)?.left === true;

  // It was shown before the page was scrolled, or when it was on the screen.
  const wasShown = (element) => known.get(element)?.first?.shown === true || afterimage.wasDrawn(element);

  // It says something else now, such as a number that has been counted up.
  const isReplaced = (element, text) => text !== '' && element.isConnected && ownText(element) !== '' && ownText(element) !== text;

  const holds = ({ left, top, right, bottom }, x, y) => left <= x && x <= right && top <= y && y <= bottom;

  // Something has come to where a part was, or beside it into a small box: what was not there before, or was hidden at that place. Instead
  // of a picture it may be another one that was behind it.
  const isTaken = (element, text) => {
    const { left, top, right, bottom } = known.get(element)?.box ?? nothing;
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const around = known.get(element)?.around;
    const beside = around?.isConnected && around.getElementsByTagName('*').length <= fewInside ? around : null;
    return everywhere('*').some((other) => {
      const words = ownText(other);
      if (other === element || words === '' && !other.matches(shows)) return false;
      const inside = beside?.contains(other) && other !== beside;
      const there = holds(onPage(other.getBoundingClientRect()), x, y);
      if (!inside && !there || !visible(other)) return false;
      const { first } = known.get(other) ?? {};
      if (first?.shown && first.text === words && (text !== '' || words !== '' || !there)) return false;
      return !first || first.box.width === 0 || inside && !first.shown || holds(first.box, x, y);
    });
  };

  const isEmpty = (element) => (element.innerText ?? '').trim() === '' && element.querySelector(shows) === null && !element.shadowRoot;

  // Where a part was that is gone: its element if it takes room, or what is around it if nothing else is in there; null if there is no
  // such place on the screen.
  const placeOf = (element, around, { width, height }) => {
    const place = element.isConnected && element.getClientRects().length > 0 ? element : around;
    if (!place?.isConnected || !inFlow(place) || place !== element && !isEmpty(place)) return null;
    const box = place.getBoundingClientRect();
    if (box.height < 0.9 * height || box.width < 0.9 * width) return null;
    const hit = deepest(box.left + box.width / 2, box.top + Math.min(box.height, height) / 2);
    return hit && (hit.contains(place) || place.contains(hit)) ? place : null;
  };

  const saysMuch = (text) => text === '' || text.split(/\s+/).length > fewWords || /\d/.test(text);

  // Only a canvas of this kind keeps what was drawn on it.
  const keepsDrawing = (element) => element.localName !== 'canvas' || element.getContext('2d') !== null;

  const nameOf = (element, text) => text || element.alt || afterimage.fileName(element.currentSrc || element.poster || '');

  let told = []; // parts, as the page tells of them

  // Notes those of the parts of a screen, which is shown again, that have not come back.
  const noteGone = (lost) => {
    for (const [element, { text, around, box, drawn }] of lost) {
      const matters = text !== '' ? drawn && !afterimage.saysWait(text) : isPicture(element, box) && keepsDrawing(element);
      if (told.length >= mostTold || !matters || isReplaced(element, text) || isTaken(element, text)) continue;
      const left = hasLeft(element) && saysMuch(text);
      const place = placeOf(element, around, box) ?? (left ? element : null);
      const part = place && { kind: 'hidden', element: named(place), text: nameOf(element, text) };
      if (place && !told.some((other) => other.text === part.text && other.element === part.element)) told.push(part);
    }
  };

  const forgetGone = () => {
    known.clear();
    restyledAway.clear();
    reached = 0;
    told = [];
  };

  const gone = () => told;

  Object.assign(afterimage, { notePresent, noteCome, reach, noteLeft, hasLeft, wasShown, noteGone, forgetGone, gone });
})();
