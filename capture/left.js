// The part of our script in the page that tells what of the page a reader could bring on the screen is not in the picture.
(() => {
  'use strict';

  const { everywhere, seen, scrollers, showsBeyond, growsTo, cutOff, emptied, named, directions, held, shownBox } = afterimage;

  const mostParts = 50;
  const leastFrame = 60; // px; what smaller frames hold is not read

  const scrolled = (element, side, pixels, shown = shownBox(element)) =>
    ({ kind: 'scrolled', element: named(element), side, pixels, holds: held(element, shown, pixels) });

  const ofScrollers = () => scrollers().flatMap(({ element, down, aside }) => {
    const { left, up } = growsTo(element);
    return [
      ...down > 0 && showsBeyond(element, true, down) ? [scrolled(element, up ? 'above' : 'below', down)] : [],
      ...aside > 0 && showsBeyond(element, false, aside) ? [scrolled(element, left ? 'left' : 'right', aside)] : [],
    ];
  });

  // What scrolls below the heading of a part that is folded out is no element: styles tell of it, and nothing else.
  const ofFolds = () => everywhere('details[open]').flatMap((fold) => {
    const { overflowY } = getComputedStyle(fold, '::details-content');
    if (overflowY !== 'auto' && overflowY !== 'scroll' || !seen(fold)) return [];
    const { bottom } = fold.getBoundingClientRect();
    const lowest = Math.max(...[...fold.children].map((element) => element.getBoundingClientRect().bottom));
    return lowest - bottom > 8 ? [scrolled(fold, 'below', Math.round(lowest - bottom))] : [];
  });

  const ofCutOff = () => cutOff().filter(({ element, down }) => showsBeyond(element, true, down))
    .map(({ element, down }) => scrolled(element, 'below', down));

  // What a field holds may be longer than it. Nobody may know a password, however long.
  const lines = /^(text|search|url|email|tel|number)$/;
  const ofFields = () => everywhere('input').filter((field) => lines.test(field.type) && field.value !== '')
    .filter((field) => field.scrollWidth > field.clientWidth + 2 && seen(field))
    .map((field) => ({ kind: 'scrolled', element: named(field), side: 'right', pixels: field.scrollWidth - field.clientWidth,
      holds: afterimage.heldOf([field.value], [], []) }));

  // What comes to be there only where it is scrolled to cannot be read.
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
    const shown = { left: 0, top: 0, right: root.clientWidth, bottom: innerHeight };
    const part = (side, pixels) => ({ kind: 'scrolled', element: name, side, pixels, holds: held(root, shown, pixels) });
    const parts = [];
    const down = afterimage.windowScrolls().down ? root.scrollHeight - innerHeight : 0;
    if (down > 8) parts.push(part('below', down));
    const aside = afterimage.windowScrolls().aside ? root.scrollWidth - root.clientWidth : 0;
    if (aside > 8) parts.push(part(directions().left ? 'left' : 'right', aside));
    return parts;
  };

  // What a browser shows of a document that refused to load, and what a server answers instead of one. Who embeds the former cannot know it.
  const failed = () => window !== top && location.protocol === 'chrome-error:';
  const ofError = () => {
    if (window === top || failed() || innerWidth < leastFrame || innerHeight < leastFrame) return [];
    let element = null;
    try { element = frameElement; } catch { /* of another site */ }
    const { responseStatus } = performance.getEntriesByType('navigation')[0] ?? {};
    if (element && !seen(element) || !(responseStatus >= 400)) return [];
    return [{ kind: 'frame', element: element ? named(element) : `iframe (${location.host})`, text: `HTTP status ${responseStatus}` }];
  };

  const unseen = 'script, style, template, noscript, link, meta, title, base, br, source, track';
  const mostOfEmpty = 200; // elements
  const mostSpinner = 160; // px
  const shows = 'img, svg, canvas, video, audio, picture, iframe, object, embed, input, button, textarea, select, hr, a[href]';

  const fillsWindow = (element) => element.offsetWidth >= 0.95 * innerWidth && element.offsetHeight >= 0.95 * innerHeight;

  // Something is to be seen of an element itself. What fills the window with one colour is only the page's.
  const paints = (element) => {
    if (element.localName.includes('-') && !element.shadowRoot && element.getBoundingClientRect().height > 2) return true;
    if (element.matches(shows) && seen(element)) return true;
    for (const pseudo of [null, '::before', '::after']) {
      const { backgroundImage, backgroundColor, borderStyle, content } = getComputedStyle(element, pseudo);
      if (pseudo && (content === 'none' || content === 'normal')) continue;
      if (pseudo || backgroundImage.includes('url(')) return true;
      const plain = backgroundImage === 'none' && /, 0\)$/.test(backgroundColor) && /^(none\s?)+$/.test(borderStyle);
      if (!plain && seen(element) && !fillsWindow(element)) return true;
    }
    return false;
  };

  const hasColour = (element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return backgroundImage !== 'none' || !/, 0\)$|^rgb\(255, 255, 255\)$/.test(backgroundColor);
  };

  const small = (element) => element.offsetWidth <= mostSpinner && element.offsetHeight <= mostSpinner ||
    element instanceof SVGElement && element.getBoundingClientRect().width <= mostSpinner;

  // Where applications put themselves, and what of them may be there before: their logo.
  const mount = /^(app|root|app-root|react-root|main-app|__next|__nuxt|___gatsby|q-app|svelte|application)$/;
  const applicationTag = /^(app|my|main)-(root|app|shell)$/;
  const awaitsApplication = (first) => (mount.test(first.id) || applicationTag.test(first.localName)) &&
    [...document.scripts].some((script) => script.src !== '' || script.type === 'module');

  // The element that an application was to fill, of a page that shows nothing at all, or nothing but something small that turns without an
  // end or that stands where the application is to be; '' for other pages.
  const emptyRoot = () => {
    const { body, scripts } = document;
    if (window !== top || !body) return '';
    const first = [...body.children].find((element) => !element.matches(unseen));
    const all = everywhere('*').filter((element) => (element.getRootNode() !== document || body.contains(element)) && !element.closest(unseen));
    if (all.length > mostOfEmpty || (first ? scripts.length === 0 : hasColour(document.documentElement) || hasColour(body))) return '';
    if (all.some((element) => afterimage.ownText(element) !== '' && afterimage.visible(element))) return '';
    const painted = all.filter((element) => paints(element) && !(applicationTag.test(element.localName) && element.childElementCount > 0));
    return painted.length === 0 || first && (afterimage.turned() || awaitsApplication(first)) && painted.every(small) ? named(first ?? body) : '';
  };

  // What is left out, and the frames of which we cannot know. A frame that tells of itself is counted as opened.
  const left = () => {
    const parts = [...ofFrame(), ...ofError(), ...afterimage.passing(), ...afterimage.exchanged(), ...afterimage.scenes(), ...afterimage.gone(),
      ...afterimage.neverCame(), ...afterimage.wheeled(), ...ofScrollers(),
      ...ofFolds(), ...ofCutOff(), ...ofFields(), ...ofEmptied(), ...afterimage.strips(), ...afterimage.tickers(afterimage.stripBoxes()),
      ...afterimage.stacks(), ...afterimage.playing()];
    const text = afterimage.missingGlyphs();
    if (text) parts.push({ kind: 'glyphs', text });
    const closed = closedFrames();
    let opened = 0;
    try { opened = window !== top && !frameElement ? 1 : 0; } catch { opened = 1; }
    if (failed()) opened = 0;
    return { empty: emptyRoot(), busy: afterimage.busy(), parts: parts.slice(0, mostParts), closed: closed.slice(0, mostParts).map(named), opened,
      failed: failed() ? 1 : 0 };
  };

  Object.assign(afterimage, { left });
})();
