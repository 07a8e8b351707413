// The part of our script in the page that applies the CSS of groups, URLs and requests, and counts what its selectors find.
(() => {
  'use strict';

  const { roots, adopt } = afterimage;

  // Styles reach into open shadow trees, and into those that come later when it is called again.
  const styled = new WeakSet();
  const styles = (...sheets) => roots().filter((root) => !styled.has(root)).forEach((root) => {
    styled.add(root);
    for (const css of sheets.flat()) adopt(css, root);
  });

  // An element that is hovered, or what is before it, is there only now and then: the element itself is what a selector finds.
  const passing = /::[\w-]+(\([^)]*\))?|:(before|after|first-line|first-letter|hover|focus|focus-visible|focus-within|active|visited|target)(?![\w-])/g;
  // A host is found by no query, and neither is what it slots.
  const beyondQueries = /:host|::slotted|::part|:has\(/; // the last one may take long
  // What the rest of a selector is about when its end was taken away.
  const bare = (selector) => {
    const rest = selector.replace(passing, '').trim();
    return rest === '' || /[\s>+~]$/.test(selector.replace(passing, '')) || /[>+~]$/.test(rest) ? `${rest} *` : rest;
  };

  // The selectors of a list: a comma within brackets or quotes separates none.
  const partsOf = (list) => (list.match(/(?:\\.|"[^"]*"|'[^']*'|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^\]]*\]|[^,])+/g) ?? [])
    .map((part) => part.trim());

  const selectorsIn = function* selectorsIn(rules) {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule) yield* partsOf(rule.selectorText);
      else if (rule instanceof CSSGroupingRule) yield* selectorsIn(rule.cssRules);
    }
  };

  const steps = 2e6; // elements that are looked at for all selectors together

  // How many elements the selectors of style sheets have in this document: at most so many selectors, each of at most so many characters.
  const matched = (sheets, limit, length) => {
    const counts = new Map();
    const all = roots();
    const elements = all.reduce((n, root) => n + root.querySelectorAll('*').length, 1);
    const most = Math.min(limit, Math.ceil(steps / elements));
    for (const css of sheets) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      for (const selector of selectorsIn(sheet.cssRules)) {
        if (counts.size === most) break;
        if (counts.has(selector) || selector.length > length || beyondQueries.test(selector)) continue;
        try {
          counts.set(selector, all.reduce((n, root) => n + root.querySelectorAll(bare(selector)).length, 0));
        } catch { /* it is understood in style sheets only */ }
      }
    }
    return [...counts].map(([selector, n]) => ({ selector, elements: n }));
  };

  Object.assign(afterimage, { styles, matched });
})();
