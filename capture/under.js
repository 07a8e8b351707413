// The part of our script in the page that deals with what lies under the page at the edge of the window, and is uncovered when a reader
// comes to the end: a footer that the page slides off. It is shown where the page ends.
(() => {
  'use strict';

  const { roots, onResume, keepStyle } = afterimage;

  const leastArea = 40_000; // px
  const points = [0.1, 0.5, 0.9];

  const isInside = (element, around) => {
    for (let at = element; at; at = at.assignedSlot || at.parentElement || at.getRootNode().host) if (at === around) return true;
    return false;
  };

  // How many of nine points of an element show it, and how many something that is scrolled with the page.
  const shownPoints = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    let own = 0;
    let page = 0;
    for (const across of points) {
      for (const down of points) {
        const hit = afterimage.deepest(left + across * width, top + down * height);
        if (hit && isInside(hit, element)) own++;
        else if (hit && hit !== document.documentElement && !afterimage.pinOf(hit)) page++;
      }
    }
    return { own, page };
  };

  const candidates = () => roots().flatMap((root) => [...root.querySelectorAll('*')]).filter((element) => {
    if (!(element instanceof HTMLElement) || element.offsetWidth * element.offsetHeight < leastArea) return false;
    const { position, bottom } = getComputedStyle(element);
    if (position !== 'fixed' && !(position === 'sticky' && bottom !== 'auto') || afterimage.isLayer(element)) return false;
    const { own, page } = shownPoints(element);
    return own === 0 && page === points.length ** 2;
  });

  const put = (element, property, value) => {
    keepStyle(element);
    element.style.setProperty(property, value, 'important');
  };

  const done = new WeakSet();

  // Puts what lies under the page where it comes to be seen.
  const uncover = async (frame) => {
    if (document.documentElement.scrollHeight <= innerHeight + 1) return;
    const covered = candidates().filter((element) => !done.has(element));
    if (covered.length === 0) return;
    const jump = async (top) => {
      scrollTo({ top, left: 0, behavior: 'instant' });
      await frame();
      await frame();
    };
    await jump(document.documentElement.scrollHeight);
    const at = Math.round(scrollY);
    const uncovered = covered.filter((element) => shownPoints(element).own > points.length);
    await jump(0);
    for (const element of uncovered) {
      done.add(element);
      onResume(() => done.delete(element));
      if (getComputedStyle(element).position === 'sticky') put(element, 'position', 'relative');
      else put(element, 'translate', `0 ${at}px`);
    }
  };

  Object.assign(afterimage, { uncover });
})();
