// The part of our script in the page that tells whether an element is to be seen at its place. Parts that hide when they leave the screen
// do so in many ways: they fade, shrink, are cut off, take the colour of what is behind them, or something lies upon them.
(() => {
  'use strict';

  const { coloured, everywhere } = afterimage;

  const faint = 0.1; // opacity of what nobody reads
  const unreadable = 6; // px of blur
  const alike = 4; // levels of a colour that nobody tells apart
  const mostCovers = 200; // elements that may lie upon others
  const mostInside = 20; // elements of one that was restyled
  const everything = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

  const parentOf = (element) => element.assignedSlot || element.parentElement || element.getRootNode().host || null;

  const alpha = (colour) => {
    const [, opacity] = /[,/]\s*([\d.]+)\)$/.exec(/^rgba|\//.test(colour) ? colour : '') ?? [];
    return opacity === undefined ? 1 : parseFloat(opacity);
  };

  const opacityOf = ({ opacity, filter }) => {
    const [, ofFilter] = /opacity\(([\d.]+)\)/.exec(filter) ?? [];
    return parseFloat(opacity) * (ofFilter === undefined ? 1 : parseFloat(ofFilter));
  };

  const blurs = (filter) => parseFloat(/blur\(([\d.]+)px\)/.exec(filter)?.[1] ?? 0) >= unreadable;

  const length = (text, whole) => (text.endsWith('%') ? parseFloat(text) / 100 * whole : parseFloat(text) || 0);

  // A shape that lets nothing be seen.
  const isEmptyShape = (shape, { offsetWidth: width, offsetHeight: height }) => {
    const [, name, inside] = /^(\w+)\((.*?)\)/.exec(shape) ?? [];
    if (name === 'circle' || name === 'ellipse') return /^0(px|%)?(\s|$)/.test(inside);
    if (name === 'inset') {
      const [top, right = top, bottom = top, left = right] = inside.replace(/ round .*/, '').split(' ');
      return length(top, height) + length(bottom, height) >= height - 1 || length(left, width) + length(right, width) >= width - 1;
    }
    if (name !== 'polygon') return false;
    const points = inside.split(/,\s*/).map((point) => point.split(' ').slice(-2));
    return [0, 1].some((axis) => new Set(points.map((point) => parseFloat(point[axis]))).size === 1);
  };

  const isEmptyMask = ({ maskImage, maskSize, maskRepeat }) =>
    maskImage !== 'none' && maskRepeat.includes('no-repeat') && /^0(px|%)|\s0(px|%)$/.test(maskSize);

  const cut = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });

  // What the boxes around elements leave of them, asked of each element once.
  const look = () => {
    const known = new Map();
    const around = (element) => {
      if (!element || element === document.documentElement) return { opacity: 1, within: everything, hidden: false };
      if (known.has(element)) return known.get(element);
      const style = getComputedStyle(element);
      const { opacity, within, hidden } = around(parentOf(element));
      const clips = element !== document.body && style.display !== 'contents' && style.overflowY !== 'visible' &&
        !style.display.startsWith('inline ');
      const state = {
        opacity: opacity * opacityOf(style), within: clips ? cut(within, element.getBoundingClientRect()) : within,
        hidden: hidden || style.clipPath !== 'none' && isEmptyShape(style.clipPath, element) || isEmptyMask(style) ||
          isTurnedAway(style) || blurs(style.filter) || isCurtained(element),
      };
      known.set(element, state);
      return state;
    };
    return around;
  };

  const isFlat = (transform) => {
    const numbers = /^matrix(3d)?\((.*)\)$/.exec(transform)?.[2].split(',').map(Number);
    if (!numbers) return false;
    const [a, b, c, d] = numbers.length === 6 ? numbers : [numbers[0], numbers[1], numbers[4], numbers[5]];
    return Math.abs(a * d - b * c) < 0.01;
  };

  // Turned to its edge, or to a back that is not painted.
  const isTurnedAway = ({ transform, backfaceVisibility }) => {
    if (isFlat(transform)) return true;
    const [, numbers] = /^matrix3d\((.*)\)$/.exec(backfaceVisibility === 'hidden' ? transform : '') ?? [];
    return numbers !== undefined && parseFloat(numbers.split(',')[10]) < 0;
  };

  // A curtain before an element that its own style draws.
  const isCurtained = (element) => ['::before', '::after'].some((pseudo) => {
    const { content, position, backgroundColor, opacity, width, height, transform, clipPath, zIndex } = getComputedStyle(element, pseudo);
    return content !== 'none' && position === 'absolute' && alpha(backgroundColor) > 0.9 && parseFloat(opacity) > 0.9 && !(zIndex < 0) &&
      parseFloat(width) >= 0.9 * element.clientWidth && parseFloat(height) >= 0.9 * element.clientHeight && element.clientHeight > 0 &&
      !isFlat(transform) && clipPath === 'none';
  });

  const levels = (colour) => colour.match(/[\d.]+/g)?.slice(0, 3).map(Number) ?? [];
  const sameColour = (one, other) => one === other || alpha(one) > 0.9 && /^rgb/.test(one) && /^rgb/.test(other) &&
    levels(one).every((level, i) => Math.abs(level - levels(other)[i]) <= alike);

  // What a page without a background is painted on.
  const paper = () => (/^(only )?dark( only)?$/.test(getComputedStyle(document.documentElement).colorScheme) ?
    'rgb(18, 18, 18)' : 'rgb(255, 255, 255)');

  const paints = ({ backgroundImage, backgroundColor }) => backgroundImage !== 'none' || alpha(backgroundColor) > 0;

  // Boxes of what may lie behind words without being around them, asked once.
  const mostBehind = 2000; // elements
  const pictures = 'img, video, canvas, svg, iframe, object, embed';
  const findBehind = () => everywhere('*').slice(0, mostBehind).filter((element) => element.matches(pictures) ||
    element instanceof HTMLElement && getComputedStyle(element).position !== 'static' && paints(getComputedStyle(element)))
    .map((element) => ({ element, box: element.getBoundingClientRect() }));

  const paintsBefore = (element) => ['::before', '::after'].some((pseudo) => {
    const style = getComputedStyle(element, pseudo);
    return style.content !== 'none' && style.position === 'absolute' && paints(style);
  });

  // Every shadow of the words is so soft that it cannot be read.
  const softShadows = (shadows) => shadows.split(/,(?![^(]*\))/)
    .every((shadow) => parseFloat(shadow.replace(/^\s*\w+\([^)]*\)/, '').trim().split(/\s+/)[2]) >= unreadable);

  // Words in the colour of what is behind them.
  const isBlank = (element, behind) => {
    const style = getComputedStyle(element);
    const colour = style.webkitTextFillColor;
    if (style.backgroundClip.includes('text') || parseFloat(style.webkitTextStrokeWidth) > 0) return false;
    if (style.textShadow !== 'none') return alpha(colour) < faint && softShadows(style.textShadow);
    if (alpha(colour) < faint) return true;
    for (let around = element; around; around = parentOf(around)) {
      const { backgroundColor, backgroundImage } = getComputedStyle(around);
      if (backgroundImage !== 'none') return false;
      if (alpha(backgroundColor) > 0) return sameColour(colour, backgroundColor);
    }
    if (!sameColour(colour, paper())) return false;
    for (let around = element; around; around = parentOf(around)) if (paintsBefore(around)) return false;
    const box = element.getBoundingClientRect();
    return !behind().some(({ element: other, box: { left, top, right, bottom } }) => !element.contains(other) &&
      left < box.right && right > box.left && top < box.bottom && bottom > box.top);
  };

  const shows = 'img, svg, canvas, video, picture, input, button, select, textarea, iframe, object, embed, hr';

  // It has nothing: its picture was taken away, what was drawn in it, or its words.
  const isBare = (element, text, drawing) => element.localName === 'img' ? element.naturalWidth === 0 :
    drawing ? afterimage.isEmptied(element, drawing) :
    text === '' && element.childElementCount === 0 && !element.shadowRoot && !element.matches(shows) && !coloured(element);

  // Those of the elements, and of what is in them, that lie upon what is below them.
  const coversAmong = (elements) => {
    const covers = [];
    const all = [...elements].flatMap((element) => [element, ...[...element.children].slice(0, mostInside)]);
    for (const element of new Set(all)) {
      if (covers.length >= mostCovers) break;
      if (!element.isConnected || !(element instanceof HTMLElement)) continue;
      const { position, backgroundColor, backdropFilter, zIndex } = getComputedStyle(element);
      if (position !== 'absolute' || alpha(backgroundColor) < 0.9 && !blurs(backdropFilter) || zIndex < 0) continue;
      covers.push({ element, box: element.getBoundingClientRect() });
    }
    return covers;
  };

  const isBelow = (element, box, around) => ({ element: cover, box: over }) =>
    over.left <= box.left + 1 && over.top <= box.top + 1 && over.right >= box.right - 1 && over.bottom >= box.bottom - 1 &&
    !cover.contains(element) && !element.contains(cover) && !around(cover).hidden && around(cover).opacity > 0.9;

  // A function that tells whether an element with a text of its own, a drawing, or neither is to be seen where it is, now. Which elements
  // may lie upon others is said: those that the page restyles.
  const drawnNow = (restyled) => {
    const around = look();
    const covers = coversAmong(restyled);
    let found;
    const behind = () => (found ??= findBehind());
    return (element, text, drawing) => {
      if (!afterimage.visible(element)) return false;
      const { opacity, within, hidden } = around(element);
      if (hidden || opacity < faint || isBare(element, text, drawing) || text !== '' && isBlank(element, behind)) return false;
      const box = element.getBoundingClientRect();
      const { left, top, right, bottom } = cut(box, getComputedStyle(element).position === 'fixed' ? everything : within);
      if (right - left < 1 || bottom - top < 1 || right + scrollX <= 0 || bottom + scrollY <= 0) return false;
      return !covers.some(isBelow(element, box, around));
    };
  };

  // A function that tells whether an element is to be seen as far as it and what is around it decide: it may be cut off, or below others.
  const shownNow = () => {
    const around = look();
    return (element) => {
      if (!afterimage.visible(element)) return false;
      const { opacity, hidden } = around(element);
      return !hidden && opacity >= faint;
    };
  };

  Object.assign(afterimage, { alpha, isTurnedAway, drawnNow, shownNow });
})();
