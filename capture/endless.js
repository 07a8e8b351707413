// The part of our script in the page that deals with what only an endless animation shows: without it, slides and words that take turns
// would all be transparent. The first of them is shown, as when the page begins.
(() => {
  'use strict';

  const { keepStyle, parentOf } = afterimage;

  const faint = 0.1; // opacity of what nobody sees
  const shows = 'img, svg, canvas, video';

  const turns = new Map(); // by what is around them: the first of those that take turns, and when it begins

  // Notes the target of an animation that is about to be taken away.
  const noteTurn = ({ effect }) => {
    const { target, pseudoElement } = effect;
    const peak = Math.max(0, ...effect.getKeyframes().map(({ opacity }) => parseFloat(opacity)).filter(Number.isFinite));
    if (pseudoElement || !(target instanceof HTMLElement) || peak < faint) return;
    if (target.textContent.trim() === '' && !target.matches(shows) && target.querySelector(shows) === null) return;
    const [around, { delay }] = [parentOf(target), effect.getTiming()];
    if (!turns.has(around) || delay < turns.get(around).delay) turns.set(around, { target, delay, peak });
  };

  // Shows the first ones where nothing that takes turns with them is to be seen any more.
  const showTurns = () => {
    for (const [around, { target, peak }] of turns) {
      turns.delete(around);
      if (!target.isConnected || parseFloat(getComputedStyle(target).opacity) >= faint) continue;
      keepStyle(target);
      target.style.setProperty('opacity', peak, 'important');
    }
  };

  Object.assign(afterimage, { noteTurn, showTurns });
})();
