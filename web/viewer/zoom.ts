/** How large pictures are shown: as wide as fits, or a number of CSS pixels for a pixel of the picture. */
export type Zoom = 'fit' | number;

export const minScale = 0.05;
export const maxScale = 8;
const step = 1.25;

/** The CSS pixels for a pixel of a picture. Fitting never enlarges. */
export function scaleOf(zoom: Zoom, pictureWidth: number, paneWidth: number): number {
  if (zoom !== 'fit') {
    return clampScale(zoom);
  }
  return pictureWidth > 0 && paneWidth > 0 ? clampScale(Math.min(paneWidth / pictureWidth, 1)) : 1;
}

export function clampScale(scale: number): number {
  return Number.isFinite(scale) ? Math.min(Math.max(scale, minScale), maxScale) : 1;
}

/** The next larger (1) or smaller (-1) scale. It stops at 100 % on the way. */
export function stepScale(scale: number, direction: 1 | -1): number {
  const next = clampScale(direction > 0 ? scale * step : scale / step);
  return (scale < 1 && next > 1) || (scale > 1 && next < 1) ? 1 : next;
}

/** The scale after turning a wheel, or after moving two fingers on a touchpad apart. */
export function wheelScale(scale: number, delta: number): number {
  return clampScale(scale * Math.exp(-Math.min(Math.max(delta, -100), 100) / 200));
}

/**
 * The scroll position that keeps the point of the picture under the pointer while the scale changes. at is the distance
 * of the pointer from the edge of the view, margin that of the picture from the start of what is scrolled.
 */
export function scrollAfter(scroll: number, at: number, oldScale: number, newScale: number, margin = 0): number {
  return Math.max(((scroll + at - margin) * newScale) / oldScale + margin - at, 0);
}

/** The scroll position that shows a box: its top a quarter down, or the whole if it fits, so little moved as possible across. */
export function scrollTo(box: { start: number; size: number }, view: number): number {
  const room = Math.max(view - box.size, 0);
  return Math.max(box.start - Math.min(room / 2, view / 4), 0);
}
