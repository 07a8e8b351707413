// The part of our script in the page that deals with pages that do not stay as they were seen: parts that hide again when they leave
// the screen, lists of which only the rows on the screen exist. They are looked at while the page is scrolled, and looked for when it
// is still; where some are lost, the picture is taken screen by screen.
(() => {
  'use strict';

  const { roots, onResume, pause } = afterimage;

  const columns = 16; // of points at which a screen is looked at: narrow lists have to be met
  const rows = 36;
  const mostSeen = 4000; // elements
  const few = 1000; // elements
  const mostProbed = 3; // screens, to learn whether what is lost comes back

  const lookEvery = 175; // ms of the page's time

  const seen = new Map(); // elements that were on the screen, and what they were

  const ownText = (element) => {
    for (const node of element.childNodes) {
      const text = node.nodeType === Node.TEXT_NODE ? node.data.trim() : '';
      if (text) return text.slice(0, 100);
    }
    return '';
  };

  const shows = (element) => element.matches('img, svg, canvas, video, picture, input, button, h1, h2, h3, h4, h5, h6, p, li');

  const deepest = (x, y) => {
    let element = document.elementFromPoint(x, y);
    for (let inner = element; inner?.shadowRoot instanceof ShadowRoot;) {
      inner = inner.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === element) break;
      element = inner;
    }
    return element;
  };

  const restyledElements = new Set();
  const rewrittenElements = new Set();

  // Notes elements of which the page changes the style or the words while it is scrolled.
  const restyled = (records) => {
    for (const { type, target } of records) {
      const [changed, element] = type === 'attributes' ? [restyledElements, target] :
        [rewrittenElements, type === 'characterData' ? target.parentElement : target];
      if (element && changed.size < mostSeen) changed.add(element);
    }
  };

  // A picture behind the page that a script moves along with it, and shows only where the page lets it through.
  const isMirror = (element) => {
    const { position, zIndex } = getComputedStyle(element);
    return position === 'fixed' && zIndex < 0 && restyledElements.has(element) && ownText(element) === '';
  };

  let fresh = []; // words that were noted on this screen

  const note = (element, box) => {
    if (seen.has(element)) return;
    const pinned = afterimage.noteIfPinned(element) && !isMirror(element);
    const text = ownText(element);
    if (text !== '' && !pinned) fresh.push(element);
    if (!pinned) afterimage.noteCome(element, text, box);
    const [drawing, around] = [afterimage.drawingOf(element), afterimage.parentOf(element)];
    const state = { judge: afterimage, text, top: box.top + scrollY, pinned, drawing, box, around };
    seen.set(element, Object.assign(state, afterimage.extrasOf(element)));
  };

  // Notes what was on the screen when nobody looked, or was looked at when it began to go.
  const noteSeen = (element, { text, box, drawing, around }) => {
    const known = seen.get(element);
    if (known) Object.assign(known, { drawn: true, drawing: Math.max(known.drawing, drawing) });
    else if (seen.size < mostSeen) {
      seen.set(element, { judge: afterimage, text, top: box.top, pinned: false, drawing, box, around, drawn: true });
    }
  };

  const mostInside = 50; // elements of a part that was restyled

  const hasContent = (element) => ownText(element) !== '' || element.matches('img, svg, canvas, video') ||
    afterimage.generatedBy(element) !== '';

  const onScreen = ({ top, bottom }) => bottom > 0 && top < innerHeight;

  // The points at which a screen is looked at may miss a single line or number, and what has no size yet.
  const lookAtRestyled = () => {
    for (const element of rewrittenElements) {
      const box = element.isConnected && ownText(element) !== '' && element.getBoundingClientRect();
      if (box && onScreen(box) && visible(element) && seen.size < mostSeen) note(element, box);
    }
    for (const element of restyledElements) {
      const box = element.getBoundingClientRect();
      if (!onScreen(box) || seen.size >= mostSeen) continue;
      if (box.height > 0 && visible(element)) note(element, box);
      if (element === document.documentElement || element === document.body) continue;
      for (const inside of [...element.children].flatMap((child) => [child, ...child.querySelectorAll('*')]).slice(0, mostInside)) {
        if (seen.has(inside) || !hasContent(inside)) continue;
        const within = inside.getBoundingClientRect();
        if (onScreen(within) && visible(inside) && seen.size < mostSeen) note(inside, within);
      }
    }
  };

  // A drawing may be finished after it came on the screen: the most that was in it counts.
  const lookAtDrawings = () => {
    for (const element of afterimage.drawings()) {
      const box = element.getBoundingClientRect();
      if (!onScreen(box) || !visible(element)) continue;
      const known = seen.get(element);
      if (!known && seen.size < mostSeen) note(element, box);
      else if (known) known.drawing = afterimage.fuller(element, known.drawing);
    }
  };

  const point = (i) => [(i % columns + 0.5) / columns * innerWidth, (Math.floor(i / columns) + 0.5) / rows * innerHeight];

  const lookAt = (i) => {
    const element = deepest(...point(i));
    if (element && !seen.has(element) && (ownText(element) || shows(element))) note(element, element.getBoundingClientRect());
  };

  // The points inside a box, of all at which a screen is looked at.
  const pointsIn = ({ left, top, right, bottom }) => {
    const column = (x) => Math.min(Math.max(Math.round(x / innerWidth * columns), 0), columns);
    const row = (y) => Math.min(Math.max(Math.round(y / innerHeight * rows), 0), rows);
    const points = [];
    for (let y = row(top); y < row(bottom); y++) for (let x = column(left); x < column(right); x++) points.push(y * columns + x);
    return points;
  };

  // The same as looking at all points, which costs more where there are few elements: only inside of what may be noted, and there
  // until it is.
  const lookAtFew = () => {
    const done = new Set();
    for (const element of roots().flatMap((root) => [...root.querySelectorAll('*')])) {
      if (seen.has(element)) continue;
      const points = pointsIn(element.getBoundingClientRect());
      if (points.length === 0 || !ownText(element) && !shows(element)) continue;
      for (let i = 0; i < points.length && !seen.has(element) && seen.size < mostSeen; i++) {
        if (!done.has(points[i])) lookAt(points[i]);
        done.add(points[i]);
      }
    }
  };

  const wasDrawn = (element) => seen.get(element)?.drawn === true;

  // What is there without being drawn, such as words that a pointer brings, has nothing to lose.
  const noteDrawn = () => {
    if (fresh.length === 0) return;
    const drawn = afterimage.drawnNow([]); // nothing lies upon what was found at a point
    for (const element of fresh) seen.get(element).drawn = drawn(element, seen.get(element).text);
    fresh = [];
  };

  // Notes what is on the screen below the first one, which is shown as it is at the top.
  const look = () => {
    afterimage.noteLeft();
    if (scrollY < innerHeight / 2 && !afterimage.hasScene()) return;
    if (document.getElementsByTagName('*').length <= few) lookAtFew();
    else for (let i = 0; i < rows * columns && seen.size < mostSeen; i++) lookAt(i);
    lookAtRestyled();
    lookAtDrawings();
    noteDrawn();
    afterimage.lookIntoFrames();
    afterimage.lookAtPinned();
    afterimage.lookAtExchanged();
  };

  const visible = (element) => element.isConnected && element.getClientRects().length > 0 &&
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const texts = () => {
    const all = [];
    for (const root of roots()) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        if (!walker.currentNode.parentElement?.matches('script, style, noscript')) all.push(walker.currentNode.data);
      }
    }
    return all.join('\n');
  };

  // Rows of a list that are used again are the same elements with other texts.
  const isSame = (element, text) => element.isConnected && (text === '' || ownText(element) === text);

  // The picture is shown, by this element or another one.
  const hasPicture = ({ currentSrc }) => currentSrc !== undefined && currentSrc !== '' &&
    afterimage.everywhere('img, video').some((other) => other.currentSrc === currentSrc && visible(other));

  const isAt = (element, top) => element.isConnected && Math.abs(element.getBoundingClientRect().top + scrollY - top) < 2;

  // Nothing but words that its style generates.
  const hasOnly = (text, { generated }) => text === '' && Boolean(generated);

  // Those of the parts that were on the screen, all if none are given, that are nowhere now.
  const lost = (among = allSeen()) => {
    let all = null;
    const drawn = afterimage.drawnNow(restyledElements);
    const isLost = ([element, { text, top, pinned, drawing, ...extras }]) => {
      if (pinned) return false;
      if (isSame(element, text)) return afterimage.isStripped(element, extras) || !hasOnly(text, extras) && !drawn(element, text, drawing);
      if (text === '') return afterimage.hasLeft(element) && !hasPicture(element);
      return isAt(element, top) || !(all ??= texts()).includes(text);
    };
    const elsewhere = among.filter(([, { judge }]) => judge !== afterimage);
    return [...among.filter(([, { judge }]) => judge === afterimage).filter(isLost), ...afterimage.lostInFrames(elsewhere)];
  };

  const allSeen = () => [...seen, ...afterimage.seenInFrames()];

  const seenTexts = () => new Set([...seen.values()].map(({ text }) => text));

  const back = (parts) => {
    const findable = parts.filter(([element, { text }]) => text !== '' || element.isConnected || afterimage.hasLeft(element));
    return findable.length > lost(findable).length;
  };

  const jump = async (top, frame) => {
    scrollTo({ top, left: 0, behavior: 'instant' });
    afterimage.tellScrolled();
    await frame();
    await frame();
  };

  let first = []; // what the first screen shows before others are looked at again

  const lookAtFirst = () => {
    const drawn = afterimage.drawnNow(restyledElements);
    return afterimage.everywhere('*').slice(0, mostSeen).flatMap((element) => {
      const [text, box] = [ownText(element), element.getBoundingClientRect()];
      return text !== '' && onScreen(box) && drawn(element, text) ? [[element, { judge: afterimage, text, top: box.top + scrollY }]] : [];
    });
  };

  // Waits for parts that were seen where the page is scrolled to; tells which of them have not come.
  const comeAgain = async (parts) => {
    for (let waited = 0; waited < afterimage.patience() && lost(parts).length > 0; waited += lookEvery) await pause(lookEvery);
    return lost(parts);
  };

  let answer; // of hides, which is asked again when the picture is taken again

  // Tells whether parts of the page hide when they leave the screen, by going back to where some were.
  const hides = async (frame) => {
    if (answer !== undefined) return answer;
    onResume(() => {
      showAgain();
      answer = undefined;
      seen.clear();
      restyledElements.clear();
      rewrittenElements.clear();
      missed.clear();
      first = [];
      afterimage.forgetFrames();
      afterimage.forgetPinned();
      afterimage.forgetExchanged();
      afterimage.forgetScenes();
      afterimage.forgetGone();
    });
    answer = false;
    afterimage.noteLeft();
    const screens = new Map();
    for (const part of lost()) {
      afterimage.noteStripped(...part);
      const screen = Math.max(Math.floor(part[1].top / innerHeight), 1);
      screens.set(screen, [...screens.get(screen) ?? [], part]);
    }
    const most = [...screens].sort(([, a], [, b]) => b.length - a.length);
    if (most.length > 0) first = lookAtFirst();
    for (const [screen, parts] of most.slice(0, mostProbed)) {
      await jump(screen * innerHeight, frame);
      for (let waited = 0; waited < afterimage.patience() && !answer; waited += lookEvery) {
        answer = back(parts);
        if (!answer) await pause(lookEvery);
      }
      if (answer) break;
      afterimage.noteGone(lost(parts).filter(([element, extras]) => !afterimage.isStripped(element, extras)));
    }
    if (most.length === 0) return answer;
    await jump(0, frame);
    if (screens.size > mostProbed && !answer) afterimage.noteGone(lost().filter(([element]) => afterimage.hasLeft(element)));
    await comeAgain(first);
    return answer;
  };

  // Parts that stay on the screen are shown once, on the first one: what is fixed is hidden afterwards, what sticks is put where it
  // belongs. A layer behind the page stays.
  let kept = [];
  const showOnce = () => {
    if (kept.length > 0) return;
    kept.push(null);
    for (const root of roots()) {
      for (const element of root.querySelectorAll('*')) {
        if (!(element instanceof HTMLElement)) continue;
        const { position } = getComputedStyle(element);
        const own = position === 'fixed' && !afterimage.isLayer(element) && !isMirror(element) ? { opacity: '0' } :
          position === 'sticky' ? { position: 'relative', inset: 'auto' } : null;
        if (!own) continue;
        kept.push([element, element.getAttribute('style')]);
        for (const [name, value] of Object.entries(own)) element.style.setProperty(name, value, 'important');
      }
    }
  };
  const showAgain = () => {
    for (const [element, style] of kept.filter(Boolean)) {
      if (style === null) element.removeAttribute('style');
      else element.setAttribute('style', style);
    }
    kept = [];
  };

  const mostFrames = 40; // of one screen, for what moves a little further in each
  let framesLeft = 8 * mostFrames; // of all screens: some pages never come to rest

  const longestMotion = 4000; // ms of the page's time, for one screen

  // How long the animations of scripts that end take until they do. What a script puts in the place of one that has ended comes only with
  // the next frame: ending it at once would show neither.
  const motionLeft = () => Math.max(0, ...roots().flatMap((root) => root.getAnimations()).map((animation) => {
    const { playState, playbackRate, currentTime, effect } = animation;
    if (animation instanceof CSSAnimation || animation instanceof CSSTransition || playState !== 'running' || playbackRate <= 0) return 0;
    const left = (effect?.getComputedTiming().endTime - currentTime) / playbackRate;
    return Number.isFinite(left) ? left : 0;
  }));

  const motionsEnd = async () => {
    const end = performance.now() + longestMotion;
    for (let left = motionLeft(); left > 0 && performance.now() + left < end; left = motionLeft()) await pause(Math.ceil(left) + 1);
  };

  // Frames may be further apart than what counts as quiet: the page rests when two of them in a row have changed nothing.
  const comeToRest = async () => {
    await motionsEnd();
    for (let i = 0, quiet = 0; i < mostFrames && framesLeft > 0 && quiet < 2; i++) {
      const begun = afterimage.changedAt();
      await afterimage.frame();
      quiet = afterimage.changedAt() === begun ? quiet + 1 : 0;
      if (quiet === 0) framesLeft--;
    }
  };

  const missed = new Set(); // elements that did not come back where they were seen

  // What was seen on the part of this screen of which a picture is taken.
  const seenHere = () => {
    const [top, bottom] = scrollY > 0 ? [scrollY + innerHeight / 5, scrollY + innerHeight * 4 / 5] : [0, innerHeight];
    return [...allSeen(), ...first].filter(([element, { top: at, pinned }]) => !pinned && !missed.has(element) && at >= top && at < bottom);
  };

  // Brings one screen of the page into view, and lets come what comes. The picture of the last one has taken the frame along that the
  // page's scripts were waiting for.
  const step = async (token, top, time) => {
    afterimage.resumeFrames(token);
    if (top > 0) showOnce();
    else showAgain();
    scrollTo({ top, left: 0, behavior: 'instant' });
    afterimage.tellScrolled();
    for (let i = 0; i < 3; i++) await pause(time / 3);
    if (time > 0) {
      await afterimage.timersEnd();
      for (const [element] of await comeAgain(seenHere())) missed.add(element);
      await comeToRest();
    }
    afterimage.halt();
    return Math.round(scrollY);
  };

  Object.assign(afterimage, {
    restyled, restyledElements, noteSeen, wasDrawn, look, lost, hides, step, seenTexts, ownText, visible, deepest, isMirror,
  });
})();
