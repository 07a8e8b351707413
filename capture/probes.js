// Paints frames of colours of their own around elements, for a picture that tells whether boxes and pixels agree. A frame takes no space
// and lies above what is in its element.
(() => {
  'use strict';

  const painted = [];

  const find = (selector) => {
    let root = document;
    const steps = selector.split(' >>> ');
    for (const step of steps.slice(0, -1)) root = root?.querySelector(step)?.shadowRoot;
    return root?.querySelector(steps.at(-1));
  };

  const paintProbes = (probes) => {
    let found = 0;
    for (const { selector, colour } of probes) {
      const element = find(selector);
      if (!element) continue;
      painted.push([element, element.getAttribute('style')]);
      for (const [name, value] of Object.entries({ outline: `2px solid ${colour}`, 'outline-offset': '-2px' })) {
        element.style.setProperty(name, value, 'important');
      }
      found++;
    }
    return found;
  };

  const removeProbes = () => {
    for (const [element, style] of painted.splice(0)) {
      if (style === null) element.removeAttribute('style');
      else element.setAttribute('style', style);
    }
  };

  Object.assign(afterimage, { paintProbes, removeProbes });
})();
