// The part of our script in the page that looks into drawings: a canvas or a vector graphic may be emptied when it leaves the screen and
// drawn again when it returns, while its element stays as it is.
(() => {
  'use strict';

  const { everywhere, seen } = afterimage;

  const grain = 16; // points of a canvas in each direction
  const mostDrawings = 60; // of a page
  const mostShapes = 200; // of one graphic
  const mostPixels = 16e6; // of a canvas
  const least = 24; // px; smaller ones are signs

  const shapes = 'rect, circle, ellipse, line, polyline, polygon, path, text, image, use';

  // FNV-1a.
  const checksum = (text) => {
    let sum = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193) >>> 0;
    return sum.toString(16);
  };

  const isDrawing = (element) => element.localName === 'canvas' || element.localName === 'svg' && !element.ownerSVGElement;

  const drawings = () => everywhere('canvas, svg').filter((element) => isDrawing(element) &&
    Math.min(element.clientWidth, element.clientHeight) >= least).slice(0, mostDrawings);

  // Clearing a canvas changes nothing in the document.
  const hasCanvas = () => everywhere('canvas').some((canvas) => seen(canvas) &&
    (canvas.getBoundingClientRect().bottom + scrollY > innerHeight || afterimage.pinOf(canvas) !== null));

  let copy;

  // What a canvas shows, coarsely; null if nobody may read it.
  const points = (canvas) => {
    if (canvas.width === 0 || canvas.height === 0 || canvas.width * canvas.height > mostPixels) return null;
    copy ??= new OffscreenCanvas(grain, grain).getContext('2d', { willReadFrequently: true });
    copy.imageSmoothingQuality = 'medium'; // a thin line counts
    copy.clearRect(0, 0, grain, grain);
    try {
      copy.drawImage(canvas, 0, 0, grain, grain);
      return new Uint32Array(copy.getImageData(0, 0, grain, grain).data.buffer);
    } catch {
      copy = undefined; // of another site: it has spoilt ours
      return null;
    }
  };

  // How many points of a canvas differ from its first one: 0 if it has one colour.
  const pointsOf = (canvas) => points(canvas)?.reduce((n, point, i, all) => n + (point !== all[0] ? 1 : 0), 0) ?? 0;

  // By which two pictures on a canvas are told apart; '' for one of one colour. What is nearly the same is the same.
  const canvasHash = (canvas) => (pointsOf(canvas) > 0 ? points(canvas).map((point) => point & 0xf0f0f0f0).join() : '');

  // By which what is on a canvas is told apart to the pixel; '' if it has one colour or nobody may read it.
  const pixelsHash = (canvas) => {
    if (pointsOf(canvas) === 0) return '';
    const whole = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    whole.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(whole.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    return `${canvas.width} ${pixels.reduce((sum, pixel) => Math.imul(sum ^ pixel, 0x01000193) >>> 0, 0x811c9dc5)}`;
  };

  // A line that is drawn by moving its dashes is there when they are.
  const hasStroke = (shape, { stroke, strokeWidth, strokeOpacity, strokeDasharray, strokeDashoffset }) => {
    if (stroke === 'none' || parseFloat(strokeWidth) === 0 || parseFloat(strokeOpacity) < 0.1) return false;
    const dash = parseFloat(strokeDasharray);
    if (!(dash > 0)) return true;
    const whole = shape.pathLength?.baseVal || shape.getTotalLength?.() || Infinity;
    return dash < 0.95 * whole || Math.abs(Math.abs(parseFloat(strokeDashoffset)) - dash) > 0.05 * dash;
  };

  const isPainted = (shape) => {
    if (!shape.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const { width, height } = shape.getBoundingClientRect();
    if (Math.max(width, height) < 1) return false;
    if (shape.matches('image, use')) return true;
    const style = getComputedStyle(shape);
    return Math.min(width, height) >= 0.5 && style.fill !== 'none' && parseFloat(style.fillOpacity) >= 0.1 || hasStroke(shape, style);
  };

  const paintedIn = (graphic) => [...graphic.querySelectorAll(shapes)].slice(0, mostShapes)
    .filter((shape) => !shape.closest('defs, clipPath, mask, pattern, marker, symbol') && isPainted(shape));

  const shapesOf = (graphic) => paintedIn(graphic).length;

  const places = /^(d|points|[xyr]|[xy][12]|r[xy]|c[xy]|width|height|href|xlink:href)$/;

  // By which two states of a graphic are told apart; '' for nothing drawn.
  const graphicHash = (graphic) => {
    const drawn = paintedIn(graphic).map((shape) => {
      const { fill, fillOpacity, stroke } = getComputedStyle(shape);
      const placed = [...shape.attributes].filter(({ name }) => places.test(name)).map(({ name, value }) => `${name}=${value}`);
      const moved = shape.closest('[transform]')?.getAttribute('transform') ?? '';
      return [shape.localName, fill, fillOpacity, stroke, moved, ...placed].join(' ');
    });
    return drawn.length > 0 ? checksum(drawn.join()) : '';
  };

  // How much is drawn in an element now; 0 for nothing, and for what is no drawing.
  const drawingOf = (element) => {
    if (!isDrawing(element) || Math.min(element.clientWidth, element.clientHeight) < least) return 0;
    return element.localName === 'canvas' ? pointsOf(element) : shapesOf(element);
  };

  // What was known to be drawn, or more. A canvas that is drawn at all is not read again.
  const fuller = (element, known) => (known > 0 && element.localName === 'canvas' ? known : Math.max(known, drawingOf(element)));

  // A drawing of which so much was seen has lost it: all of a canvas, or shapes of a graphic.
  const isEmptied = (element, known) => (element.localName === 'canvas' ? drawingOf(element) === 0 : drawingOf(element) < known);

  Object.assign(afterimage, { drawings, hasCanvas, canvasHash, pixelsHash, graphicHash, checksum, drawingOf, fuller, isEmptied });
})();
