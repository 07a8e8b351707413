// The part of our script in the page that deals with what only an endless animation shows: without it, slides and words that take turns
// would all be transparent. The first of them is shown, as when the page begins, and the others are told.
(() => {
  'use strict';

  const { keepStyle, parentOf, named, seen } = afterimage;

  const faint = 0.1; // opacity of what nobody sees
  const shows = 'img, svg, canvas, video';

  const turns = new Map(); // by what is around them: the first of those that take turns, and when it begins
  const groups = new Map(); // likewise: all of them
  const generated = new Map(); // by element: the words that an animation has it show in turn

  const noteWords = (target, keyframes) => {
    const words = new Set(keyframes.map(({ content }) => /^"(.*)"$/.exec(content ?? '')?.[1]).filter(Boolean));
    if (words.size > 1) generated.set(target, [...words]);
  };

  const peakOf = (keyframes) => Math.max(0, ...keyframes.map(({ opacity }) => parseFloat(opacity)).filter(Number.isFinite),
    keyframes.some(({ visibility }) => visibility === 'visible') ? 1 : 0);

  // Notes the target of an animation that is about to be taken away.
  const noteTurn = ({ effect }) => {
    const { target, pseudoElement } = effect;
    const keyframes = effect.getKeyframes();
    noteWords(target, keyframes);
    const peak = peakOf(keyframes);
    if (pseudoElement || !(target instanceof HTMLElement) || peak < faint) return;
    if (target.textContent.trim() === '' && !target.matches(shows) && target.querySelector(shows) === null) return;
    const [around, { delay }] = [parentOf(target), effect.getTiming()];
    groups.set(around, (groups.get(around) ?? new Set()).add(target));
    if (!turns.has(around) || delay < turns.get(around).delay) turns.set(around, { target, delay, peak });
  };

  const isHidden = (element) => {
    const { opacity, visibility } = getComputedStyle(element);
    return parseFloat(opacity) < faint || visibility !== 'visible';
  };

  // Shows the first ones where nothing that takes turns with them is to be seen any more.
  const showTurns = () => {
    for (const [around, { target, peak }] of turns) {
      turns.delete(around);
      if (!target.isConnected || !isHidden(target)) continue;
      keepStyle(target);
      target.style.setProperty('opacity', peak, 'important');
      target.style.setProperty('visibility', 'visible', 'important');
    }
  };

  const part = (element, holds) => ({ kind: 'scrolled', element: named(element), side: 'right', pixels: element.offsetWidth, holds });

  // What is not shown of those that take turns, as parts that are missing, but for what is told already.
  const otherTurns = (told) => [
    ...[...groups].filter(([around]) => around?.isConnected && seen(around) && !told.includes(around)).flatMap(([around, targets]) => {
      const hidden = [...targets].filter((target) => target.isConnected && isHidden(target));
      return hidden.length > 0 && hidden.length < targets.size ? [part(around, afterimage.heldHidden(hidden))] : [];
    }),
    ...[...generated].filter(([element]) => element.isConnected && seen(element))
      .map(([element, words]) => part(element, afterimage.heldOf(words, [], []))),
  ];

  Object.assign(afterimage, { noteTurn, showTurns, otherTurns });
})();
