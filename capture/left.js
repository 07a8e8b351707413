// The part of our hand in the page that tells what of the page a reader could bring on the screen is not in the picture.
(() => {
  'use strict';

  const { everywhere, seen, scrollers, showsBeyond, cutOff, emptied, named, directions } = afterimage;

  const mostParts = 50;
  const leastFrame = 60; // px; what smaller frames hold is not read

  const ofScrollers = () => scrollers().flatMap(({ element, down, aside }) => [
    ...(down > 0 && showsBeyond(element, true, down) ? [{ kind: 'scrolled', element: named(element), side: 'below', pixels: down }] : []),
    ...(aside > 0 && showsBeyond(element, false, aside) ? [{ kind: 'scrolled', element: named(element), pixels: aside,
      side: getComputedStyle(element).direction === 'rtl' ? 'left' : 'right' }] : []),
  ]);

  const ofCutOff = () => cutOff().filter(({ element, down }) => showsBeyond(element, true, down))
    .map(({ element, down }) => ({ kind: 'scrolled', element: named(element), side: 'below', pixels: down }));

  const ofEmptied = () => emptied().map(({ element, down }) => ({ kind: 'scrolled', element: named(element), side: 'below', pixels: down }));

  const documentIn = (frame) => { try { return frame.contentDocument; } catch { return null; } };

  // Frames of other sites do not tell us what they hold. Ours in them may, see left.
  const closedFrames = () => everywhere('iframe, frame')
    .filter((frame) => frame.clientWidth >= leastFrame && frame.clientHeight >= leastFrame && frame.scrolling !== 'no' && seen(frame))
    .filter((frame) => frame.localName.endsWith('frame') && !documentIn(frame));

  // Of the document in a frame: what its window does not show. The window of the page itself is told by extent.
  const ofFrame = () => {
    if (window === top) return [];
    let element = null;
    try { element = frameElement; } catch { /* of another site */ }
    if (element && !seen(element) || innerWidth < leastFrame || innerHeight < leastFrame || element?.scrolling === 'no') return [];
    const { documentElement: root } = document;
    const name = element ? named(element) : `iframe (${location.host})`;
    const parts = [];
    const down = afterimage.windowScrolls().down ? root.scrollHeight - innerHeight : 0;
    if (down > 8) parts.push({ kind: 'scrolled', element: name, side: 'below', pixels: down });
    const aside = afterimage.windowScrolls().aside ? root.scrollWidth - root.clientWidth : 0;
    if (aside > 8) parts.push({ kind: 'scrolled', element: name, side: directions().left ? 'left' : 'right', pixels: aside });
    return parts;
  };

  // What is left out, and the frames of which we cannot know. A frame that tells of itself is counted as opened.
  const left = () => {
    const parts = [...ofFrame(), ...afterimage.passing(), ...afterimage.wheeled(), ...ofScrollers(), ...ofCutOff(), ...ofEmptied()];
    const text = afterimage.missingGlyphs();
    if (text) parts.push({ kind: 'glyphs', text });
    const closed = closedFrames();
    let opened = 0;
    try { opened = window !== top && !frameElement ? 1 : 0; } catch { opened = 1; }
    return { parts: parts.slice(0, mostParts), closed: closed.slice(0, mostParts).map(named), opened };
  };

  Object.assign(afterimage, { left });
})();
