// The part of our hand in the page that deals with what is painted relative to the window: a reader sees it behind every part of the
// page, but in a picture of the whole page it would end with the first screen.
(() => {
  'use strict';

  const { roots, adopt } = afterimage;

  const mostScreens = 120; // that a backdrop is repeated for
  const copied = 'data-afterimage-copy'; // marks elements of ours

  const large = (element) => element.offsetWidth * element.offsetHeight > 40_000; // px
  const addresses = (image) => [...image.matchAll(/url\("([^"]*)"\)/g)].map(([, address]) => address);

  const natural = async (address) => {
    const image = new Image();
    image.src = address;
    await Promise.race([image.decode().catch(() => {}), new Promise((resolve) => { setTimeout(resolve, 500); })]);
    return image.naturalWidth > 0 && image.naturalHeight > 0 ? { width: image.naturalWidth, height: image.naturalHeight } : null;
  };

  // The size in which a picture is painted behind a window, as its style says.
  const sizeInWindow = (size, { width, height }) => {
    const [w, h] = [innerWidth / width, innerHeight / height];
    if (size === 'cover') return [width * Math.max(w, h), height * Math.max(w, h)];
    if (size === 'contain') return [width * Math.min(w, h), height * Math.min(w, h)];
    const [first, second = 'auto'] = size.split(' ');
    const length = (text, whole) => (text.endsWith('%') ? parseFloat(text) / 100 * whole : parseFloat(text));
    if (first === 'auto' && second === 'auto') return [width, height];
    if (first === 'auto') return [width / height * length(second, innerHeight), length(second, innerHeight)];
    if (second === 'auto') return [length(first, innerWidth), height / width * length(first, innerWidth)];
    return [length(first, innerWidth), length(second, innerHeight)];
  };

  const attached = new WeakSet();

  // A background that stands still while the page is scrolled is painted with its element, as on telephones that have no such
  // backgrounds, in the size that it has in the window. Behind what is higher than the window it is repeated.
  const attach = async (element) => {
    const style = getComputedStyle(element);
    if (!style.backgroundAttachment.includes('fixed') || attached.has(element)) return;
    attached.add(element);
    const own = { 'background-attachment': 'scroll' };
    const [address] = addresses(style.backgroundImage);
    const size = address && !style.backgroundImage.includes('), ') ? await natural(address) : null;
    if (size) {
      own['background-size'] = sizeInWindow(style.backgroundSize, size).map((length) => `${Math.round(length)}px`).join(' ');
      if (element.offsetHeight > innerHeight || element === document.body || element === document.documentElement) {
        own['background-repeat'] = 'repeat';
        own['background-position'] = `${style.backgroundPositionX} 0px`;
      }
    }
    fix(element, own);
  };

  const attachAll = async () => {
    for (const root of roots()) {
      for (const element of root.querySelectorAll('*')) {
        if (element instanceof HTMLElement && large(element)) await attach(element);
      }
    }
    await attach(document.documentElement);
    if (document.body) await attach(document.body);
  };

  const shows = 'img, picture, video, canvas, iframe, object, embed, svg';

  // A layer behind the page: as large as the window, without words, and not above what is read.
  const isBackdrop = (style, { width, height }, words) =>
    style.position === 'fixed' && style.visibility === 'visible' && style.opacity !== '0' && !words &&
    width >= 0.95 * innerWidth && height >= 0.95 * innerHeight &&
    (style.pointerEvents === 'none' || style.zIndex === 'auto' || style.zIndex <= 0);

  const plain = (image) => !image.includes('url(');

  const paintsPlainly = (element) => !element.matches(shows) && !element.querySelector(shows) &&
    [element, ...element.querySelectorAll('*')].every((part) => plain(getComputedStyle(part).backgroundImage));

  // What a canvas shows is not part of its copy.
  const copyPixels = (from, to) => {
    const sources = from.matches('canvas') ? [from] : [...from.querySelectorAll('canvas')];
    const targets = to.matches('canvas') ? [to] : [...to.querySelectorAll('canvas')];
    sources.forEach((source, i) => {
      try { targets[i].getContext('2d').drawImage(source, 0, 0); } catch { /* of another site, or nothing to copy */ }
    });
  };

  const fix = (element, properties) => {
    spread = true;
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, 'important');
  };

  const repeat = (element, box, height) => {
    for (let screen = 1; screen * innerHeight < height && screen < mostScreens; screen++) {
      const copy = element.cloneNode(true);
      copy.removeAttribute('id');
      copy.setAttribute(copied, '');
      element.after(copy);
      fix(copy, {
        top: `${box.top + screen * innerHeight}px`, bottom: 'auto', height: `${box.height}px`, 'box-sizing': 'border-box',
        transition: 'none', animation: 'none',
      });
      copyPixels(element, copy);
    }
  };

  // Layers that are painted from colours reach down to the end of the page, others are repeated for every screen.
  const spreadElement = (element, height) => {
    const box = element.getBoundingClientRect();
    if (!isBackdrop(getComputedStyle(element), box, element.textContent.trim())) return;
    if (paintsPlainly(element)) {
      fix(element, { top: `${box.top}px`, bottom: 'auto', height: `${height - box.top}px`, 'max-height': 'none' });
    } else repeat(element, box, height);
  };

  // The same for layers made by ::before and ::after.
  const spreadPseudo = (element, height, rules) => {
    for (const pseudo of ['::before', '::after']) {
      const style = getComputedStyle(element, pseudo);
      if (style.content === 'none' || style.position !== 'fixed') continue;
      const box = { width: parseFloat(style.width), height: parseFloat(style.height) };
      if (!isBackdrop(style, box, /[^"\s]/.test(style.content.replace(/^url\(.*\)$/, '')))) continue;
      const mark = `data-afterimage-layer${pseudo.replaceAll(':', '-')}`;
      element.setAttribute(mark, '');
      spread = true;
      const pattern = plain(style.backgroundImage) ? '' :
        `background-size:${innerWidth}px ${innerHeight}px!important;background-repeat:repeat!important`;
      rules.push(`[${mark}]${pseudo}{top:0!important;bottom:auto!important;height:${height}px!important;max-height:none!important;${pattern}}`);
    }
  };

  let spreadTo = 0;
  let spread = false; // something was

  // Makes backdrops reach down to the end of a page of this height. True if there are any.
  const backdrops = async (height) => {
    if (height <= innerHeight || height === spreadTo) return spread;
    spreadTo = height;
    for (const copy of document.querySelectorAll(`[${copied}]`)) copy.remove();
    await attachAll();
    const rules = [];
    for (const element of document.querySelectorAll('*')) {
      if (element instanceof HTMLElement && element.offsetParent === null && large(element)) spreadElement(element, height);
    }
    for (const element of [document.documentElement, document.body, ...(document.body ? document.body.children : [])].slice(0, 50)) {
      if (element) spreadPseudo(element, height, rules);
    }
    rules.push('*::before,*::after{background-attachment:scroll!important}');
    adopt(rules.join('\n'));
    return spread;
  };

  const isLayer = (element) => element.hasAttribute(copied) ||
    isBackdrop(getComputedStyle(element), element.getBoundingClientRect(), element.textContent.trim());

  Object.assign(afterimage, { backdrops, isLayer });
})();
