// The part of our script in the page that deals with elements that scroll: it makes them as high as their content, and tells what is
// still left out.
(() => {
  'use strict';

  const { roots, everywhere, seen, keepPlace } = afterimage;

  const slack = 8; // px of content out of sight that nobody scrolls for
  const leastWidth = 120; // px; smaller boxes keep their size, and what they hold is told
  const leastHeight = 60;
  const mostScrollers = 100; // that are made higher
  const mostHeld = 20_000; // elements whose height is held

  const parentOf = (element) => element.assignedSlot || element.parentElement || element.getRootNode().host || null;

  // The scroller of the window is none of the elements. In an old document it is the body.
  const ofWindow = (element) => element === document.documentElement || element === document.scrollingElement;

  const auto = (overflow) => overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';

  // Script libraries with bars of their own hide what is out of sight and scroll it themselves.
  const rails = ':scope > .ps__rail-y, :scope > .ps__scrollbar-y-rail, :scope > .mCSB_scrollTools';
  const byScript = new WeakSet(); // what scripts were seen to scroll
  const scrollsByScript = (element) => { byScript.add(element); };
  const scripted = (element, { overflowY }) => overflowY === 'hidden' &&
    (element.scrollTop > 0 || byScript.has(element) || element.querySelector(rails) !== null);

  // Pages that move their content by themselves when the wheel is turned have a box as large as the window that hides the rest.
  const stage = (element) => {
    const { clientWidth: width, clientHeight: height, scrollHeight: whole } = element;
    return document.documentElement.scrollHeight <= innerHeight + slack && width > 0.9 * innerWidth &&
      Math.abs(height - innerHeight) < 0.25 * innerHeight && whole > 1.25 * height;
  };

  const ofWholePage = (element) => element === document.body && getComputedStyle(document.documentElement).overflowY === 'visible';

  // What stays at its place in the window lies outside of the boxes around it, unless one of them holds it.
  const holds = ({ transform, filter, perspective, contain }) =>
    transform !== 'none' || filter !== 'none' || perspective !== 'none' || /paint|strict|content|layout/.test(contain);

  // The part of an element's box that no box around it hides.
  const shownBox = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    let outside = getComputedStyle(element).position === 'fixed';
    for (let around = parentOf(element); around && !ofWindow(around); around = parentOf(around)) {
      const style = getComputedStyle(around);
      const { overflowX, overflowY, display } = style;
      if (outside && !holds(style)) continue;
      outside = style.position === 'fixed';
      if (display === 'contents' || (overflowX === 'visible' && overflowY === 'visible') || ofWholePage(around)) continue;
      const box = around.getBoundingClientRect();
      if (overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (overflowY !== 'visible') [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { left, top, right, bottom, width: right - left, height: bottom - top };
  };

  const onPage = ({ left, top, right, bottom, width, height }) =>
    width > 2 && height > 2 && right + scrollX > 0 && bottom + scrollY > 0 &&
    left < Math.max(innerWidth, document.documentElement.scrollWidth) && top < Math.max(innerHeight, document.documentElement.scrollHeight);

  // All elements that a reader can scroll, and how far: { element, down, aside }.
  const find = () => {
    const found = [];
    for (const root of roots()) {
      for (const element of root.querySelectorAll('*')) {
        const height = element.clientHeight;
        if (height === 0) continue;
        let down = element.scrollHeight - height;
        let aside = element.scrollWidth - element.clientWidth;
        if ((down <= slack && aside <= slack) || ofWindow(element)) continue;
        const style = getComputedStyle(element);
        if (element === document.body && getComputedStyle(document.documentElement).overflowY === 'visible') continue; // the window's
        if (!auto(style.overflowY) && !scripted(element, style) && !(style.overflowY !== 'visible' && stage(element))) down = 0;
        if (!auto(style.overflowX)) aside = 0;
        if (down <= slack && aside <= slack || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const box = shownBox(element);
        if (onPage(box)) found.push({ element, down: down > slack ? down : 0, aside: aside > slack ? aside : 0, box });
      }
    }
    return found;
  };

  const mostTries = 3; // to make an element as high as its content, which may grow
  let tries = new WeakMap();
  const words = new Map(); // how many characters were in what was made higher
  let given = false; // up: the page does not bear it
  const changed = new Map(); // elements whose style is ours, and what it was
  const grown = new Set(); // elements that were made higher, and the boxes around them

  const set = (element, properties) => {
    if (!changed.has(element)) changed.set(element, element.getAttribute('style'));
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, 'important');
  };

  // The height of an element as a style states it.
  const stated = (element, height) => {
    const style = getComputedStyle(element);
    if (style.boxSizing === 'border-box') return `${height}px`;
    const around = [style.paddingTop, style.paddingBottom, style.borderTopWidth, style.borderBottomWidth];
    return `${Math.max(around.reduce((rest, width) => rest - parseFloat(width), height), 0)}px`;
  };

  const floats = ({ position }) => position === 'absolute' || position === 'fixed';

  // Makes an element higher. What is placed by its lower edge or by its middle keeps its upper edge.
  const grow = (element, more) => {
    const style = getComputedStyle(element);
    const height = stated(element, element.offsetHeight + more);
    const properties = {
      height, 'min-height': height, 'max-height': 'none', 'flex-shrink': '0', transition: 'none',
      'perspective-origin': style.perspectiveOrigin, 'transform-origin': style.transformOrigin, // from where they were seen
    };
    if (floats(style)) {
      Object.assign(properties, { top: style.top, bottom: 'auto', 'margin-top': style.marginTop, 'margin-bottom': '0px' });
    }
    set(element, properties);
    grown.add(element);
  };

  // Puts an element back to where its upper edge was: what is in the middle of a box moves up when it grows.
  const keepTop = (element, top) => {
    const moved = element.getBoundingClientRect().top - top;
    if (Math.abs(moved) <= 1) return;
    const style = getComputedStyle(element);
    const by = floats(style) ? 'margin-top' : 'top';
    if (style.position === 'static') set(element, { position: 'relative' });
    set(element, { [by]: `${(parseFloat(style.getPropertyValue(by)) || 0) - moved}px` });
  };

  const inside = (element) => {
    const found = [];
    const within = [element.shadowRoot instanceof ShadowRoot ? element.shadowRoot : null, element].filter(Boolean);
    for (const root of within) {
      for (const below of root.querySelectorAll('*')) {
        if (below instanceof HTMLElement && found.length < mostHeld) found.push(below);
      }
    }
    return found;
  };

  // Parts as high as the box around them stay as high as they were: five screens in a box that shows one are five screens.
  const hold = (heights) => {
    for (let pass = 0; pass < 8; pass++) {
      const stretched = [...heights].filter(([element, height]) => element.offsetHeight !== height && !grown.has(element));
      const outermost = new Set(stretched.map(([element]) => element));
      const now = stretched.filter(([element]) => !outermost.has(element.parentElement));
      if (now.length === 0) return;
      for (const [element, height] of now) {
        const same = stated(element, height);
        set(element, { height: same, 'min-height': same, 'max-height': same });
        heights.delete(element);
      }
    }
  };

  // Makes the boxes around a higher element higher, as far as it does not fit into them any more.
  const release = (boxes) => {
    for (const [around, before] of boxes) {
      const more = around.scrollHeight - around.clientHeight - Math.max(before, 0);
      if (more > 1 && around.clientHeight > 0) grow(around, more);
    }
  };

  const boxesAround = (element) => {
    const boxes = [];
    for (let around = parentOf(element); around && !ofWindow(around); around = parentOf(around)) {
      boxes.push([around, around.scrollHeight - around.clientHeight]);
    }
    return boxes;
  };

  const wordsIn = (element) => (element.innerText ?? '').replace(/\s+/g, '').length;

  const depth = (element) => {
    let n = 0;
    for (let around = element; around && n < 10_000; around = parentOf(around)) n++;
    return n;
  };

  // Makes one element as high as its content, or as far as there is room in a picture.
  const open = (element, limit) => {
    keepPlace(element);
    tries.set(element, (tries.get(element) || 0) + 1);
    if (!words.has(element)) words.set(element, wordsIn(element));
    const around = boxesAround(element);
    const { top } = element.getBoundingClientRect();
    const heights = new Map(inside(element).map((below) => [below, below.offsetHeight]));
    for (let pass = 0; pass < 3; pass++) {
      const room = limit - (element.getBoundingClientRect().bottom + scrollY);
      const more = Math.min(element.scrollHeight - element.clientHeight, Math.floor(room));
      if (more < 1) break;
      grow(element, more);
      hold(heights);
    }
    element.scrollTop = 0;
    for (let pass = 0; pass < 3; pass++) {
      release(around);
      keepTop(element, top);
    }
  };

  const documentIn = (frame) => { try { return frame.contentDocument; } catch { return null; } };

  // Makes a frame of this site as high as its document. One whose document grows with it keeps its height.
  const openFrame = (frame, limit) => {
    const within = documentIn(frame)?.documentElement;
    if (!within || frame.scrolling === 'no' || !seen(frame)) return false;
    if (frame.clientWidth < leastWidth || frame.clientHeight < leastHeight) return false;
    const inWindow = frame.contentWindow.getComputedStyle(within);
    const more = within.scrollHeight - frame.clientHeight;
    if (more <= slack || inWindow.overflowY === 'hidden' || (tries.get(frame) || 0) >= mostTries) return false;
    tries.set(frame, (tries.get(frame) || 0) + 1);
    if (frame.getBoundingClientRect().bottom + scrollY + more > limit) return false;
    const around = boxesAround(frame);
    const style = frame.getAttribute('style');
    grow(frame, more);
    if (within.scrollHeight - frame.clientHeight > slack) {
      grown.delete(frame);
      if (style === null) frame.removeAttribute('style');
      else frame.setAttribute('style', style);
      return false;
    }
    release(around);
    return true;
  };

  // Makes elements that scroll down as high as their content, from the inside out, up to a limit of the page's height. True if it
  // has changed something.
  const unroll = (limit) => {
    if (given) return false;
    const frames = everywhere('iframe').filter((frame) => openFrame(frame, limit)).length > 0;
    const closed = find().filter(({ element, down, box }) =>
      down > 0 && box.width >= leastWidth && box.height >= leastHeight && (tries.get(element) || 0) < mostTries);
    if (closed.length === 0) return frames;
    const order = closed.slice(0, mostScrollers).map((one) => ({ ...one, depth: depth(one.element) })).sort((a, b) => b.depth - a.depth);
    for (const { element } of order) open(element, limit);
    for (const { element } of order) element.dispatchEvent(new Event('scroll')); // lists look how much of them there is to see
    return true;
  };

  const feeds = new WeakMap(); // elements that were told of being scrolled, and how high their content was

  // What was made higher is scrolled with the window. Scripts that listen to it look again at what is on the screen; a list that grows
  // with it is left in peace.
  const tellScrolled = () => {
    for (const element of words.keys()) {
      if (!grown.has(element) || !element.isConnected) continue;
      const known = feeds.get(element) ?? element.scrollHeight;
      feeds.set(element, known);
      if (element.scrollHeight <= known + slack) element.dispatchEvent(new Event('scroll'));
    }
  };

  // Gives all elements the style back that the page gave them.
  const rollUp = () => {
    for (const [element, style] of changed) {
      if (style === null) element.removeAttribute('style');
      else element.setAttribute('style', style);
    }
    changed.clear();
    grown.clear();
  };

  // The same for good, as if nothing had been made higher: what comes may be.
  const rollBack = () => {
    rollUp();
    tries = new WeakMap();
    words.clear();
    given = false;
  };

  // A page that shows less when its boxes are higher keeps them as they were.
  const keepUnrolled = () => {
    if (given || ![...words].some(([element, before]) => element.isConnected && wordsIn(element) < 0.7 * before)) return;
    given = true;
    rollUp();
  };

  // The lower edge of what stays at its place in the window and was made higher than it: the document does not reach so far.
  const lowest = () => {
    let edge = 0;
    for (const element of grown) {
      if (getComputedStyle(element).position !== 'fixed') continue;
      edge = Math.max(edge, element.getBoundingClientRect().bottom + element.scrollHeight - element.clientHeight);
    }
    return Math.ceil(edge);
  };

  // How much of the elements that were made higher is cut off by what is around them, and does not grow with them.
  const cutOff = () => [...words.keys()].filter((element) => grown.has(element) && element.isConnected).map((element) =>
    ({ element, down: Math.round(element.getBoundingClientRect().bottom - shownBox(element).bottom) })).filter(({ down }) => down > slack);

  // Where the content of an element grows to that does not fit into it, if not to the right and down: only there it can be scrolled.
  const growsTo = (element) => {
    const { display, flexDirection, direction, writingMode: mode } = getComputedStyle(element);
    const reversed = /flex/.test(display) && flexDirection.endsWith('-reverse');
    const upright = mode !== 'horizontal-tb';
    const lines = (direction === 'rtl') !== (mode === 'sideways-lr') !== (reversed && flexDirection.startsWith('row'));
    const blocks = mode.endsWith('-rl') !== (reversed && flexDirection.startsWith('column'));
    return upright ? { left: blocks, up: lines } : { left: lines, up: blocks };
  };

  // What an element has inside as it is shown: the shadow tree of a host, and what is put into a slot.
  const shownIn = (element) => {
    if (element.shadowRoot instanceof ShadowRoot) return element.shadowRoot.childNodes;
    const assigned = element.localName === 'slot' ? element.assignedNodes() : [];
    return assigned.length > 0 ? assigned : element.childNodes;
  };

  // Something is to be seen in the element itself. The background of a high one is what rows are drawn upon, and a shadow tree that
  // we cannot enter may have anything in it.
  const fills = (element) => {
    if (element.matches('img, svg, canvas, video, picture, input, button, textarea, select, iframe')) return true;
    if ([...shownIn(element)].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())) return true;
    return element.offsetHeight <= innerHeight &&
      (getComputedStyle(element).backgroundImage !== 'none' || element.localName.includes('-') && !element.shadowRoot);
  };

  // How much of an element that was made higher has nothing in it, from below: a list that always has as many rows as fitted into
  // its box leaves the rest of a higher one empty.
  const emptyBelow = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const all = [element];
    let lowest = top;
    for (let i = 0; i < all.length; i++) {
      if (all.length > mostHeld || all[i] === element && fills(element)) return 0;
      if (fills(all[i])) lowest = Math.max(lowest, all[i].getBoundingClientRect().bottom);
      for (const node of shownIn(all[i])) if (node.nodeType === Node.ELEMENT_NODE) all.push(node);
    }
    return Math.round(bottom - lowest);
  };

  const coloured = (element) => {
    const { backgroundColor, backgroundImage, borderStyle } = getComputedStyle(element);
    return backgroundImage !== 'none' || !/, 0\)$/.test(backgroundColor) || borderStyle !== 'none';
  };

  const extentOf = (node) => {
    if (node.nodeType === Node.ELEMENT_NODE) return node.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };

  const solid = 'img, svg, canvas, video, input, button, textarea, select, iframe, object, embed';
  const written = 'option, optgroup'; // the browser draws their words: no text in the document has a place
  const narrow = 50; // px of what may be nothing but a margin that hides the browser's own bar

  // Tells whether something is to be seen beyond the part that is shown of an element that scrolls: a text, a picture, or an element
  // with a colour that begins there. Bars are hidden by making boxes a little larger than what is around them.
  const showsBeyond = (element, down, pixels) => {
    if (element.localName === 'textarea') return element.value.trim() !== ''; // its words have no place either
    const shown = shownBox(element);
    const { left, up } = growsTo(element);
    const reversed = down ? up : left;
    const back = (down ? element.scrollTop : element.scrollLeft) !== 0; // it is scrolled
    const ahead = !reversed || back;
    const behind = reversed || back;
    const past = ({ left, top, right, bottom }) => {
      const [from, to, begin, end] = down ? [top, bottom, shown.top, shown.bottom] : [left, right, shown.left, shown.right];
      const beyond = [...ahead ? [[to - end, from - end]] : [], ...behind ? [[begin - from, begin - to]] : []];
      return beyond.sort((a, b) => b[0] - a[0])[0];
    };
    const all = [element];
    for (let i = 0; i < all.length; i++) {
      if (all.length > mostHeld) return true;
      for (const node of shownIn(all[i])) {
        const text = node.nodeType === Node.TEXT_NODE;
        if (text && !node.data.trim() || !text && node.nodeType !== Node.ELEMENT_NODE) continue;
        const [far, near] = past(extentOf(node));
        if (far > 2 && (text || node.matches(solid) || node.matches(written) && node.label.trim())) return true;
        if (!text && far > 2 && (near > -2 || pixels > narrow) && coloured(node)) return true;
        if (!text) all.push(node);
      }
    }
    return false;
  };

  const emptied = () => [...words.keys()].filter((element) => grown.has(element) && element.isConnected)
    .map((element) => ({ element, down: emptyBelow(element) })).filter(({ down }) => down > innerHeight);

  const named = (element) => {
    if (element.id) return `#${element.id}`.slice(0, 100);
    const [first] = element.classList;
    return (element.localName + (first ? `.${first}` : '')).slice(0, 100);
  };

  Object.assign(afterimage, {
    scrollers: find, scrollsByScript, showsBeyond, growsTo, cutOff, emptied, unroll, tellScrolled, keepUnrolled, rollBack, lowest, named, shownBox,
    parentOf, onPage, shownIn, extentOf, coloured,
  });
})();
