// The part of our script in the page that tells what an element shows beside its own words: words that its style generates, and a
// background by which its words are filled. Both may be there only while the element is on the screen.
(() => {
  'use strict';

  const { alpha } = afterimage;

  const generatedBy = (element) => ['::before', '::after'].map((pseudo) => getComputedStyle(element, pseudo).content)
    .filter((content) => /^"/.test(content) && /[\p{L}\p{N}]/u.test(content)).join(' ');

  // The background that fills an element's words, where its transitions lead it; '' for none.
  const fillOf = (element) => {
    const style = getComputedStyle(element);
    if (!style.backgroundClip.includes('text') || style.backgroundImage === 'none' || alpha(style.webkitTextFillColor) > 0.9) return '';
    const goal = {};
    for (const { transitionProperty, effect } of element.getAnimations()) {
      if (transitionProperty?.startsWith('background')) Object.assign(goal, effect.getKeyframes().at(-1));
    }
    return ['PositionX', 'PositionY', 'Size', 'Image'].map((name) => `background${name}`).map((name) => goal[name] ?? style[name]).join(' ');
  };

  const extrasOf = (element) => ({ generated: generatedBy(element), fill: fillOf(element) });

  // An element has lost what it showed beside its words. How its words are filled may depend on its place: what counts is how they are
  // without the screen, once that is known.
  const isStripped = (element, { generated, fill, off }) => Boolean(generated) && generatedBy(element) === '' ||
    Boolean(fill) && (off === undefined ? fillOf(element) !== fill : fillOf(element) === off);

  const noteStripped = (element, state) => { if (state.fill) state.off ??= fillOf(element); };

  Object.assign(afterimage, { generatedBy, extrasOf, isStripped, noteStripped });
})();
