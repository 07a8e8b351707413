// The part of our script in the page that deals with pages that do not stay as they were seen: parts that hide again when they leave
// the screen, lists of which only the rows on the screen exist. They are looked at while the page is scrolled, and looked for when it
// is still; where some are lost, the picture is taken screen by screen.
(() => {
  'use strict';

  const { roots, onResume } = afterimage;

  const columns = 16; // of points at which a screen is looked at: narrow lists have to be met
  const rows = 36;
  const mostSeen = 4000; // elements
  const few = 1000; // elements
  const mostProbed = 3; // screens, to learn whether what is lost comes back
  const comeBack = 700; // ms of the page's time that it may take for that

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

  // Notes elements of which the page changes the style while it is scrolled.
  const restyled = (records) => {
    for (const { type, target } of records) {
      if (type === 'attributes' && restyledElements.size < mostSeen) restyledElements.add(target);
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
    seen.set(element, { text, top: box.top + scrollY, pinned, drawing, box, around });
  };

  // Notes what was on the screen when nobody looked, or was looked at when it began to go.
  const noteSeen = (element, { text, box, drawing, around }) => {
    const known = seen.get(element);
    if (known) Object.assign(known, { drawn: true, drawing: Math.max(known.drawing, drawing) });
    else if (seen.size < mostSeen) seen.set(element, { text, top: box.top, pinned: false, drawing, box, around, drawn: true });
  };

  const mostInside = 50; // elements of a part that was restyled

  const onScreen = ({ top, bottom }) => bottom > 0 && top < innerHeight;

  // The points at which a screen is looked at may miss a single line, and what has no size yet.
  const lookAtRestyled = () => {
    for (const element of restyledElements) {
      const box = element.getBoundingClientRect();
      if (!onScreen(box) || seen.size >= mostSeen) continue;
      if (box.height > 0 && visible(element)) note(element, box);
      if (element === document.documentElement || element === document.body) continue;
      for (const inside of [...element.children].flatMap((child) => [child, ...child.querySelectorAll('*')]).slice(0, mostInside)) {
        if (seen.has(inside) || ownText(inside) === '' && !inside.matches('img, svg, canvas, video')) continue;
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

  // What was on the screen and is nowhere now.
  const lost = () => {
    let all = null;
    const drawn = afterimage.drawnNow(restyledElements);
    return [...seen].filter(([element, { text, pinned, drawing }]) => {
      if (pinned) return false;
      if (isSame(element, text)) return !drawn(element, text, drawing);
      return text !== '' ? !(all ??= texts()).includes(text) : afterimage.hasLeft(element) && !hasPicture(element);
    });
  };

  const back = (parts) => {
    let all = null;
    const drawn = afterimage.drawnNow(restyledElements);
    return parts.some(([element, { text, drawing }]) =>
      (isSame(element, text) ? drawn(element, text, drawing) : text !== '' ? (all ??= texts()).includes(text) : hasPicture(element)));
  };

  const jump = async (top, frame) => {
    scrollTo({ top, left: 0, behavior: 'instant' });
    afterimage.tellScrolled();
    await frame();
    await frame();
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
      afterimage.forgetPinned();
      afterimage.forgetExchanged();
      afterimage.forgetGone();
    });
    answer = false;
    afterimage.noteLeft();
    const screens = new Map();
    for (const part of lost()) {
      const screen = Math.max(Math.floor(part[1].top / innerHeight), 1);
      screens.set(screen, [...screens.get(screen) ?? [], part]);
    }
    const most = [...screens].sort(([, a], [, b]) => b.length - a.length);
    for (const [screen, parts] of most.slice(0, mostProbed)) {
      await jump(screen * innerHeight, frame);
      for (let waited = 0; waited < comeBack && !answer; waited += comeBack / 4) {
        answer = back(parts);
        if (!answer) await new Promise((resolve) => { setTimeout(resolve, comeBack / 4); });
      }
      if (answer) break;
      afterimage.noteGone(lost().filter(([element]) => parts.some(([other]) => other === element)));
    }
    if (screens.size > 0) await jump(0, frame);
    if (screens.size > mostProbed && !answer) afterimage.noteGone(lost().filter(([element]) => afterimage.hasLeft(element)));
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

  const comeToRest = async () => {
    for (let i = 0; i < mostFrames && framesLeft > 0 && !afterimage.rests(); i++, framesLeft--) await afterimage.frame();
  };

  // Brings one screen of the page into view, and lets come what comes. The picture of the last one has taken the frame along that the
  // page's scripts were waiting for.
  const step = async (token, top, pause) => {
    afterimage.resumeFrames(token);
    if (top > 0) showOnce();
    else showAgain();
    scrollTo({ top, left: 0, behavior: 'instant' });
    afterimage.tellScrolled();
    for (let i = 0; i < 3; i++) await new Promise((resolve) => { setTimeout(resolve, pause / 3); });
    if (pause > 0) await comeToRest();
    afterimage.halt();
    return Math.round(scrollY);
  };

  Object.assign(afterimage, { restyled, look, hides, step, ownText, visible, deepest, isMirror, noteSeen, restyledElements });
})();
