// The part of our script in the page that tells which part of the plane the picture shows.
(() => {
  'use strict';

  const { everywhere, seen } = afterimage;

  // The style that the browser applies to the window: that of the body where the root element leaves it open.
  const windowStyle = () => {
    const { documentElement: root, body } = document;
    const style = getComputedStyle(root);
    return style.overflowX === 'visible' && style.overflowY === 'visible' && body ? getComputedStyle(body) : style;
  };

  // A reader can scroll there, with a wheel or a finger.
  const scrolls = (overflow) => overflow !== 'hidden' && overflow !== 'clip';

  // Where a page grows to: to the left if its text runs from the right or its lines follow each other to the left, to the top if
  // upright lines begin at the bottom. The writing mode of the body is that of the window.
  const directions = () => {
    const { writingMode: mode, direction } = getComputedStyle(document.body || document.documentElement);
    const fromRight = direction === 'rtl';
    if (mode === 'horizontal-tb') return { left: fromRight, up: false };
    return { left: mode.endsWith('-rl'), up: mode === 'sideways-lr' ? !fromRight : fromRight };
  };

  // How far to one side there is something to be seen, up to a limit, in pixels from the edge at which the page begins. What lies
  // beyond the limit altogether does not count: a link at left:-9999px makes no picture wide.
  const painted = (left, usual, limit) => {
    let far = usual;
    for (const element of everywhere('*')) {
      if (far >= limit) break;
      const { left: from, right: to, width, height } = element.getBoundingClientRect();
      const [near, end] = left ? [usual - to, usual - from] : [from, to];
      if (end > far && near < limit && width > 0 && height > 0 && seen(element)) far = Math.min(end, limit);
    }
    return Math.ceil(far);
  };

  // The columns of the page that are to be in the picture: all that a reader can scroll to, up to a limit. A telephone shows a page
  // that is too wide for it smaller, so that more columns are in its window.
  const columns = (left, widest) => {
    const { documentElement: root } = document;
    const free = windowScrolls().aside;
    const usual = Math.max(free ? Math.min(innerWidth, root.scrollWidth) : 0, root.clientWidth, 1);
    if (root.scrollWidth <= usual || !free) return { width: usual, aside: 0 };
    const width = painted(left, usual, Math.min(root.scrollWidth, Math.max(widest, usual)));
    return { width, aside: root.scrollWidth - width };
  };

  const height = () => {
    const { documentElement: root, body } = document;
    return Math.max(root.scrollHeight, root.offsetHeight, body ? body.scrollHeight : 0, afterimage.lowest(), 1);
  };

  // The rows above the window of a page that grows upwards. A telephone that shows a wide page smaller has a higher window, and counts
  // its empty rows as the page's.
  const above = () => {
    const { documentElement: root } = document;
    if (innerHeight <= root.clientHeight) return Math.max(root.scrollHeight - root.clientHeight, 0);
    return Math.ceil(-everywhere('*').reduce((top, element) => Math.min(top, element.getBoundingClientRect().top + scrollY), 0));
  };

  // The rectangle that the page takes, in pixels from where the window begins, and how many columns of what a reader could scroll to
  // are beside it. The width has a limit, but a window that is wider is told as it is. The rectangle begins where its first columns
  // up to the limit begin.
  const extent = (widest) => {
    const { documentElement: root } = document;
    const { left, up } = directions();
    const { width, aside } = columns(left, widest);
    const x = left ? root.clientWidth - Math.min(width, widest) : 0;
    const y = up ? -above() : 0;
    // The browser counts from the first column and row that can be scrolled to.
    const clipX = left ? x - Math.min(root.clientWidth - root.scrollWidth, 0) : 0;
    return { x, y, clipX, clipY: 0, width, height: height(), aside, left, up };
  };

  const windowScrolls = () => {
    const { overflowX, overflowY } = windowStyle();
    return { aside: scrolls(overflowX), down: scrolls(overflowY) };
  };

  Object.assign(afterimage, { extent, height, directions, windowScrolls });
})();
