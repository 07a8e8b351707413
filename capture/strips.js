// The part of our script in the page that tells of strips: rows of equal parts behind a box that hides the rest of them, which a button
// moves, or time. Nothing scrolls there.
(() => {
  'use strict';

  const { everywhere, seen, shownBox, onPage, named, windowScrolls, parentOf, held, heldHidden } = afterimage;

  const slack = 8; // px
  const leastWidth = 120; // px of a box
  const leastHeight = 40;
  const mostBoxes = 200; // that are looked into
  const mostLooked = 2000; // elements inside of one
  const mostInAll = 10_000; // elements inside of all
  const mostAround = 5; // boxes around a row, of which one may hide its beginning
  const mostParts = 200; // of one strip

  const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';

  const windowBox = () => ({ left: 0, top: -Infinity, right: document.documentElement.clientWidth, bottom: Infinity });

  // Boxes that hide what is beside or below them: { element, shown, aside }.
  const boxes = () => {
    const { documentElement: root, body } = document;
    const found = window === top && !windowScrolls().aside && root.scrollWidth > root.clientWidth + slack ?
      [{ element: body, shown: windowBox(), aside: true }] : [];
    for (const element of everywhere('*')) {
      const { clientWidth: width, clientHeight: height, scrollWidth, scrollHeight } = element;
      if (!isBox(element) || width < leastWidth || height < leastHeight) continue;
      const wide = scrollWidth > width + slack;
      const high = scrollHeight > height + slack;
      if (!wide && !high) continue;
      const { overflowX, overflowY } = getComputedStyle(element);
      const aside = wide && hides(overflowX);
      if (!aside && !(high && hides(overflowY)) || !seen(element)) continue;
      const shown = shownBox(element);
      if (onPage(shown)) found.push({ element, shown, aside });
      if (found.length >= mostBoxes) return found;
    }
    return [...found, ...moved().filter(({ element }) => !found.some((other) => other.element === element)).slice(0, mostBoxes)];
  };

  // Boxes of which a row was moved to the left or up, as at its last part: no browser counts what is hidden there.
  const moved = () => {
    const found = [];
    for (const row of everywhere('*')) {
      const { children } = row;
      if (children.length < 2 || children.length > mostParts || found.length >= mostBoxes) continue;
      const first = children[0].getBoundingClientRect();
      if (first.width <= 2 || first.height <= 2) continue;
      const outer = parentOf(row)?.getBoundingClientRect() ?? first;
      if (first.left > outer.left - slack && first.top > outer.top - slack) continue;
      for (let box = row, n = 0; box && n < mostAround; box = parentOf(box), n++) {
        if (!isBox(box)) break;
        const { overflowX, overflowY } = getComputedStyle(box);
        const { left, top } = box.getBoundingClientRect();
        const aside = hides(overflowX) && first.left < left - slack;
        if (!aside && !(hides(overflowY) && first.top < top - slack)) continue;
        const shown = shownBox(box);
        if (seen(box) && onPage(shown) && !found.some(({ element }) => element === box)) found.push({ element: box, shown, aside });
        break;
      }
    }
    return found;
  };

  const kindOf = (element) => `${element.localName}.${element.classList[0] ?? ''}`;

  // What a reader would see of a part, to recognise copies; '' for nothing.
  const shows = (part) => {
    const text = (part.innerText ?? '').trim();
    const pictures = [...part.querySelectorAll('img, svg, canvas, video')];
    if (part.matches('img, svg, canvas, video')) pictures.push(part);
    const content = pictures.map((picture) => picture.currentSrc ?? picture.innerHTML);
    return text === '' && content.length === 0 ? '' : [text, ...content].join('\n');
  };

  // The parts of a row are as high as what is in them.
  const isBeside = (one, other) => Math.min(one.across + one.size, other.across + other.size) - Math.max(one.across, other.across) >=
    Math.min(one.size, other.size) / 2;

  const isAsWide = (one, other) => Math.abs(one.across - other.across) <= 2 && Math.abs(one.size - other.size) <= 2;

  // Parts of one kind that stand in one line without a gap in their order; [] if there are none.
  const inLine = (track, aside) => {
    const { children } = track;
    if (children.length < 2 || children.length > mostParts) return [];
    const kind = kindOf(children[0]);
    const parts = [...children].filter((child) => kindOf(child) === kind)
      .filter((child) => child.checkVisibility({ opacityProperty: true, visibilityProperty: true })).map((part) => {
        const { left, top, right, bottom } = part.getBoundingClientRect();
        return aside ? { part, from: left, to: right, across: top, size: bottom - top } :
          { part, from: top, to: bottom, across: left, size: right - left };
      }).filter(({ from, to, size }) => to - from > 2 && size > 2).sort((a, b) => a.from - b.from);
    const fitting = aside ? isBeside : isAsWide;
    const even = parts.every((one, i) => fitting(one, parts[0]) && (i === 0 || one.from >= parts[i - 1].to - 2));
    return even && parts.length > 1 ? parts : [];
  };

  // A list that is cut off somewhere is none: of a strip that moves up and down, whole parts are shown.
  const fits = (parts, height) => {
    const pitch = parts[1].from - parts[0].from;
    const gap = parts[1].from - parts[0].to;
    return [height, height + gap].some((room) => Math.abs(room - Math.max(Math.round(room / pitch), 1) * pitch) <= 2);
  };

  // How much of a strip lies beyond the part that is shown of a box, and on which side: { side, pixels }, null if that is nothing new.
  const beyond = (track, { element, shown, aside }) => {
    const parts = inLine(track, aside);
    if (parts.length === 0 || !aside && !fits(parts, element.clientHeight)) return null;
    const [begin, end] = aside ? [shown.left, shown.right] : [shown.top, shown.bottom];
    const within = parts.filter(({ from, to }) => Math.min(to, end) - Math.max(from, begin) > (to - from) / 2);
    if (within.length === 0) return null;
    const known = new Set(within.map(({ part }) => shows(part)));
    const hidden = parts.filter(({ from, to }) => from > end - 2 || to < begin + 2)
      .filter(({ part }) => { const what = shows(part); return what !== '' && !known.has(what); });
    const before = Math.round(Math.max(0, ...hidden.map(({ from }) => begin - from)));
    const after = Math.round(Math.max(0, ...hidden.map(({ to }) => to - end)));
    if (Math.max(before, after) <= slack) return null;
    return after >= before ? { side: aside ? 'right' : 'below', pixels: after } : { side: aside ? 'left' : 'above', pixels: before };
  };

  let told = []; // the boxes of the strips

  const stripBoxes = () => told;

  // With an overflow of its own, unless the window takes it.
  const isBox = (element) => element !== document.documentElement &&
    (element !== document.body || getComputedStyle(document.documentElement).overflowX !== 'visible');

  // The strips, with what is not shown of them, as parts that are missing.
  const strips = () => {
    let looked = 0;
    told = [];
    return boxes().flatMap((box) => {
      const all = [box.element];
      for (let i = 0; i < all.length && i < mostLooked && looked < mostInAll; i++, looked++) {
        const found = beyond(all[i], box);
        if (found !== null) {
          const holds = held(all[i], box.shown, found.pixels);
          told.push(box.element);
          return [{ kind: 'scrolled', element: named(box.element), ...found, holds }];
        }
        all.push(...all[i].children, ...all[i].shadowRoot instanceof ShadowRoot ? all[i].shadowRoot.children : []);
      }
      return [];
    });
  };

  const leastShown = 60; // px of the part that is shown
  const slidesByName = /slide|carousel|swiper|deck|testimonial|gallery/i;
  const isNamed = (element) => slidesByName.test(`${element.getAttribute('class') ?? ''} ${element.id} ${element.ariaRoleDescription ?? ''}`);
  const wholes = 'section, article, figure, img, picture, li'; // that need no class to be of one kind
  const isShown = (part) => part.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !afterimage.isTurnedAway(getComputedStyle(part));
  const hasContent = (part) => part.textContent.trim() !== '' || part.matches('img, svg, video') || part.querySelector('img, svg, video') !== null;

  // Parts of one kind at one place, of which exactly one is there: slides that keys or buttons exchange, views, panels. What they are not
  // called is told only if it can be read.
  const stackIn = (row) => {
    const { children } = row;
    if (children.length < 2 || children.length > mostParts) return null;
    const named = isNamed(row) || isNamed(children[0]);
    const like = named ? ({ localName }) => localName : kindOf;
    const last = children[children.length - 1];
    if (!named && (kindOf(children[0]) !== kindOf(last) || !children[0].classList[0] && !children[0].matches(wholes))) return null;
    const parts = [...children].filter((child) => like(child) === like(children[0]));
    const shown = parts.filter(isShown);
    const hidden = parts.filter((part) => !isShown(part)).filter(hasContent);
    if (shown.length !== 1 || hidden.length < (named ? 1 : 2)) return null;
    const { width, height } = shown[0].getBoundingClientRect();
    const large = named ? width >= leastWidth && height >= leastShown : width > innerWidth / 2 && height > innerHeight / 4;
    return large && seen(shown[0]) ? { named, hidden, pixels: Math.round(hidden.length * width) } : null;
  };

  // Of the last ones of a page with very many it is only told that they are there.
  const stacks = () => {
    const found = [];
    const stacked = [];
    let looked = 0;
    for (const row of everywhere('*')) {
      if (found.length >= mostBoxes) break;
      const stack = row.childElementCount < 2 || row.matches('head, select, svg, svg *') ? null : stackIn(row);
      if (stack === null) continue;
      looked += stack.hidden.reduce((sum, part) => sum + part.getElementsByTagName('*').length + 1, 0);
      const holds = looked > mostInAll ? null : heldHidden(stack.hidden);
      if (holds || stack.named) stacked.push(row);
      if (holds || stack.named) found.push({ kind: 'scrolled', element: named(row), side: 'right', pixels: stack.pixels, holds });
    }
    return [...found, ...afterimage.otherTurns(stacked)];
  };

  Object.assign(afterimage, { strips, stripBoxes, stacks });
})();
