// The part of our script in the page that looks into frames of the page's own site: their parts come and go with the screen as those of
// the document do.
(() => {
  'use strict';

  const { everywhere } = afterimage;

  const mostFrames = 20;
  const mostInside = 2000; // elements

  // Frames of this site that have scripts, and ours in them.
  const all = () => everywhere('iframe, frame').slice(0, mostFrames).flatMap((frame) => {
    try {
      const { afterimage: inner, document: { scripts } } = frame.contentWindow;
      return inner && scripts.length > 0 && afterimage.seen(frame) ? [{ inner, frame }] : [];
    } catch {
      return []; // of another site
    }
  });

  // The document does not tell of changes in them.
  const hasFrames = () => all().length > 0;

  const seen = new Map(); // elements of this document, if it is in a frame
  const frames = new Set(); // our scripts in frames that were on the screen

  const lookWithin = (top, bottom, offset) => {
    const drawn = afterimage.drawnNow([]);
    for (const element of everywhere('*').slice(0, mostInside)) {
      const text = seen.has(element) ? '' : afterimage.ownText(element);
      const box = text !== '' && element.getBoundingClientRect();
      if (!box || box.bottom <= top || box.top >= bottom || !drawn(element, text)) continue;
      seen.set(element, { judge: afterimage, text, top: box.top + offset, ...afterimage.extrasOf(element) });
    }
  };

  const lookIntoFrames = () => {
    for (const { inner, frame } of all()) {
      const box = frame.getBoundingClientRect();
      if (box.bottom <= 0 || box.top >= innerHeight) continue;
      frames.add(inner);
      inner.lookWithin(-box.top, innerHeight - box.top, box.top + frame.clientTop + scrollY);
    }
  };

  const seenWithin = () => [...seen];

  const whole = (list) => { try { return list(); } catch { return []; } }; // of a frame that is gone

  const seenInFrames = () => [...frames].flatMap((inner) => whole(inner.seenWithin));

  const lostInFrames = (parts) => [...frames].flatMap((inner) => {
    const own = parts.filter(([, { judge }]) => judge === inner);
    return own.length > 0 ? whole(() => inner.lost(own)) : [];
  });

  const forgetWithin = () => { seen.clear(); };

  const forgetFrames = () => {
    for (const inner of frames) whole(() => inner.forgetWithin() ?? []);
    frames.clear();
  };

  Object.assign(afterimage, { lookWithin, seenWithin, forgetWithin, hasFrames, lookIntoFrames, seenInFrames, lostInFrames, forgetFrames });
})();
