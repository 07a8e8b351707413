// The part of our script in the page that tells of words that were on the screen while the page was scrolled, have left an empty place,
// and do not come back. What something else has replaced, or has left no place, was meant to go: loaders, messages, closed banners.
(() => {
  'use strict';

  const { parentOf, named, deepest, ownText } = afterimage;

  const mostTold = 20;
  const shows = 'img, svg, canvas, video, iframe, object, embed, input, button, select, textarea';

  const inFlow = (element) => {
    for (let around = element; around && around !== document.body; around = parentOf(around)) {
      if (/absolute|fixed|sticky/.test(getComputedStyle(around).position)) return false;
    }
    return true;
  };

  // It says something else now, such as a number that has been counted up.
  const isReplaced = (element, text) => element.isConnected && ownText(element) !== '' && ownText(element) !== text;

  const isEmpty = (element) => (element.innerText ?? '').trim() === '' && element.querySelector(shows) === null && !element.shadowRoot;

  // Where words were that are gone: their element if it takes room, or what is around it if nothing else is in there; null if there is no
  // such place on the screen.
  const placeOf = (element, around, { width, height }) => {
    const place = element.isConnected && element.getClientRects().length > 0 ? element : around;
    if (!place?.isConnected || !inFlow(place) || place !== element && !isEmpty(place)) return null;
    const box = place.getBoundingClientRect();
    if (box.height < 0.9 * height || box.width < 0.9 * width) return null;
    const hit = deepest(box.left + box.width / 2, box.top + Math.min(box.height, height) / 2);
    return hit && (hit.contains(place) || place.contains(hit)) ? place : null;
  };

  let parts = []; // as they are told

  // Notes those of the parts of a screen, which is shown again, that have not come back.
  const noteGone = (lost) => {
    for (const [element, { text, around, box, drawn }] of lost) {
      if (parts.length >= mostTold || text === '' || !drawn || isReplaced(element, text)) continue;
      const place = placeOf(element, around, box);
      if (!place || parts.some((part) => part.text === text && part.element === named(place))) continue;
      parts.push({ kind: 'hidden', element: named(place), text });
    }
  };

  const forgetGone = () => { parts = []; };

  const gone = () => parts;

  Object.assign(afterimage, { noteGone, forgetGone, gone });
})();
