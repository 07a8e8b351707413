// The part of our script in the page that covers secrets before a picture is taken: fields that were filled with one, and places where
// the page shows one. Nothing changes its size.
(() => {
  'use strict';

  const { roots, everywhere, adopt, onResume, keepStyle } = afterimage;

  const name = 'afterimage-veil';
  const colour = '#757575';
  const sealed = new WeakSet(); // fields that were filled with a secret
  const covered = new WeakSet();
  const veiled = new WeakSet(); // roots whose style sheet has the colours of covered text

  const seal = (element) => { sealed.add((element instanceof HTMLLabelElement && element.control) || element); };

  const cover = (element, style) => {
    if (covered.has(element)) return 0;
    covered.add(element);
    keepStyle(element);
    onResume(() => covered.delete(element));
    for (const [property, value] of Object.entries(style)) element.style.setProperty(property, value, 'important');
    return 1;
  };
  const paint = {
    background: colour, color: 'transparent', '-webkit-text-fill-color': 'transparent', '-webkit-text-stroke': '0', 'text-shadow': 'none',
    'border-color': colour, 'border-style': 'solid', 'border-image': 'none', 'border-radius': '0', outline: 'none', 'box-shadow': 'none',
    'caret-color': 'transparent', transition: 'none', animation: 'none', appearance: 'textfield', 'text-decoration': 'none', filter: 'none', resize: 'none',
  };
  const gone = { visibility: 'hidden', transition: 'none' };

  const silent = 'script, style, noscript, template';

  // The ranges of text in a tree that have one of the words, also where an element begins or ends within them.
  const rangesIn = (root, words) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const parts = [];
    let all = '';
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      if (node.parentElement?.matches(silent)) continue;
      parts.push({ node, start: all.length });
      all += node.data;
    }
    const same = all.toLowerCase().length === all.length;
    const haystack = same ? all.toLowerCase() : all;
    const at = (place, end) => {
      let [low, high] = [0, parts.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (parts[middle].start < place || parts[middle].start === place && !end) low = middle;
        else high = middle - 1;
      }
      return [parts[low].node, place - parts[low].start];
    };
    const ranges = [];
    for (const word of words) {
      const needle = same ? word.toLowerCase() : word;
      for (let i = haystack.indexOf(needle); i >= 0; i = haystack.indexOf(needle, i + needle.length)) {
        const range = document.createRange();
        range.setStart(...at(i, false));
        range.setEnd(...at(i + needle.length, true));
        ranges.push(range);
      }
    }
    return ranges;
  };

  let marked = null; // the ranges that are covered

  // The parts of a range that begins in one element and ends in another: what is told of each has a part of the word only.
  let pieces = [];
  const piecesOf = ({ startContainer, startOffset, endContainer, endOffset, commonAncestorContainer }) => {
    if (startContainer === endContainer) return [];
    const walker = document.createTreeWalker(commonAncestorContainer, NodeFilter.SHOW_TEXT);
    const found = [startContainer.data.slice(startOffset), endContainer.data.slice(0, endOffset)];
    walker.currentNode = startContainer;
    while (walker.nextNode() && walker.currentNode !== endContainer) found.push(walker.currentNode.data);
    return found.slice(0, 50);
  };

  const coverTexts = (words) => {
    const ranges = roots().flatMap((root) => rangesIn(root, words));
    if (ranges.length === 0) return 0;
    if (!marked) {
      marked = new Highlight();
      marked.priority = 1_000_000;
      CSS.highlights.set(name, marked);
      onResume(() => {
        CSS.highlights.delete(name);
        marked = null;
      });
    }
    for (const root of roots()) {
      if (veiled.has(root)) continue;
      veiled.add(root);
      const take = adopt(`::highlight(${name}) { background-color: ${colour} !important; color: transparent !important; ` +
        '-webkit-text-fill-color: transparent !important; -webkit-text-stroke: 0 !important; text-shadow: none !important; ' +
        'text-decoration: none !important }', root);
      onResume(() => { take(); veiled.delete(root); });
    }
    for (const range of ranges) pieces.push(...piecesOf(range));
    const known = new Set([...marked].map((range) => `${range.startOffset} ${range.endOffset}`));
    const before = [...marked];
    let more = 0;
    for (const range of ranges) {
      for (const { parentElement } of [range.startContainer, range.endContainer]) {
        if (parentElement && getComputedStyle(parentElement).textShadow !== 'none') cover(parentElement, { 'text-shadow': 'none', transition: 'none' });
      }
      const drawn = (range.startContainer.parentElement ?? range.startContainer).closest?.('svg text');
      if (drawn) more += cover(drawn, gone);
      const same = (other) => other.startContainer === range.startContainer && other.endContainer === range.endContainer;
      if (known.has(`${range.startOffset} ${range.endOffset}`) && before.some(same)) continue;
      marked.add(range);
      more++;
    }
    return more;
  };

  const holds = (text, words) => {
    const all = String(text ?? '').toLowerCase();
    return words.some((word) => all.includes(word.toLowerCase()));
  };
  const coverElements = (words) => {
    let more = 0;
    for (const element of everywhere('*')) {
      const isField = element.matches('input, textarea, select');
      if (sealed.has(element) || isField && holds(element.value, words) ||
        element instanceof HTMLSelectElement && holds(element.textContent, words)) {
        more += cover(element, paint);
        continue;
      }
      let attribute = false;
      for (const { name: key, value } of element.attributes) {
        if (!holds(value, words)) continue;
        attribute = true;
        if (key === 'placeholder' && isField) more += cover(element, paint);
        else if (key === 'alt') more += cover(element, gone);
        else if (key === 'label' && element.closest('select')) more += cover(element.closest('select'), paint);
      }
      if (!attribute) continue;
      for (const pseudo of ['::before', '::after']) {
        if (holds(getComputedStyle(element, pseudo).content.replace(/\\(.)/g, '$1'), words)) more += cover(element, gone);
      }
    }
    return more;
  };

  // Covers what shows one of the words, and tells how many places that are new, and pieces of words that stand by themselves.
  const veil = (words) => {
    pieces = [];
    return { places: coverElements(words) + coverTexts(words), pieces };
  };

  Object.assign(afterimage, { seal, veil });
})();
