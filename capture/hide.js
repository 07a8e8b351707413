// The part of our script in the page that hides what is to be ignored: it keeps its space. Selectors reach into open shadow trees.
(() => {
  'use strict';

  const { roots, adopt, onResume } = afterimage;

  const hidden = new WeakMap(); // the selectors that a root has a style sheet for
  const covered = new WeakSet(); // roots below what is hidden

  const understood = (selector) => {
    try { document.createDocumentFragment().querySelector(selector); } catch { return false; }
    return true;
  };

  const hideIn = (root, selector) => {
    const known = hidden.get(root) ?? new Set();
    if (known.has(selector)) return;
    hidden.set(root, known.add(selector));
    const show = adopt(`:is(${selector}), :is(${selector}) * { visibility: hidden !important }`, root);
    onResume(() => { show(); known.delete(selector); });
  };

  // A shadow tree could make visible again what it has from its host.
  const cover = (root, selectors) => {
    const { host } = root;
    if (!host || covered.has(root)) return;
    const outer = host.getRootNode();
    if (!covered.has(outer) && !selectors.some((selector) => host.matches(`:is(${selector}), :is(${selector}) *`))) return;
    covered.add(root);
    const show = adopt('* { visibility: hidden !important }', root);
    onResume(() => { show(); covered.delete(root); });
  };

  // What has no box, as in a closed tab, cannot be hidden: it is marked, so that its words are not compared.
  const mark = (root, selector) => {
    for (const element of root.querySelectorAll(selector)) {
      if (element.checkVisibility() || element.hasAttribute('data-afterimage-ignored')) continue;
      element.setAttribute('data-afterimage-ignored', '');
      onResume(() => element.removeAttribute('data-afterimage-ignored'));
    }
  };

  // Hides the elements of all selectors, and tells how many each one has in this document; -1 where it is no selector.
  const hide = (selectors) => {
    const all = roots();
    const valid = selectors.filter(understood);
    const counts = new Map(valid.map((selector) => [selector, 0]));
    for (const root of all) {
      for (const selector of valid) {
        counts.set(selector, counts.get(selector) + root.querySelectorAll(selector).length);
      }
    }
    for (const root of all) { // after all were counted: what takes too long is no style sheet
      for (const selector of valid) {
        if (counts.get(selector) === 0) continue;
        hideIn(root, selector);
        mark(root, selector);
      }
      cover(root, valid);
    }
    return selectors.map((selector) => counts.get(selector) ?? -1);
  };

  Object.assign(afterimage, { hide });
})();
