// The part of our script in the page that deals with what is painted relative to the window: a reader sees it behind every part of the
// page, but in a picture of the whole page it would end with the first screen.
(() => {
  'use strict';

  const { roots, adopt, onResume, keepStyle } = afterimage;

  const mostScreens = 120; // that a backdrop is repeated for
  const mostWide = 500; // elements that may have a layer of their own
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
    onResume(() => attached.delete(element));
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

  const fillsWindow = ({ width, height }) => width >= 0.95 * innerWidth && height >= 0.95 * innerHeight;

  // A layer behind the page: as large as the window, without words, and not above what is read.
  const isBackdrop = (style, box, words) =>
    style.position === 'fixed' && style.visibility === 'visible' && style.opacity !== '0' && !words && fillsWindow(box) &&
    (style.pointerEvents === 'none' || style.zIndex === 'auto' || style.zIndex <= 0);

  const fixedIn = (root) => [...root.querySelectorAll('*')].filter((element) =>
    element instanceof HTMLElement && element.offsetParent === null && large(element));

  const clips = ({ clip, clipPath, position }) => clipPath !== 'none' || clip !== 'auto' && (position === 'absolute' || position === 'fixed');

  // The element around another one that shows a part of it only, though that one stays where it is in the window: a section through
  // which one looks at what is behind it.
  const frameOf = (element) => {
    for (let around = element.parentElement; around && around !== document.body; around = around.parentElement) {
      if (clips(getComputedStyle(around))) return around;
    }
    return null;
  };

  // Where something fixed and as high as this is seen in a section. What a script moves along with the page is seen as it stands if it
  // fills the section now, else as it does half-way.
  const placeIn = (around, { top, bottom }, high, moved) => {
    if (!moved) return top;
    const frame = around.getBoundingClientRect();
    return top <= frame.top + 1 && bottom >= frame.bottom - 1 ? top - frame.top : (frame.height - high) / 2;
  };

  // What is fixed behind such a section is put into it as it is seen when the section begins where the window does.
  const bind = (element) => {
    const style = getComputedStyle(element);
    const around = style.position === 'fixed' ? frameOf(element) : null;
    if (!around) return;
    const box = element.getBoundingClientRect();
    const { left, width, height } = box;
    if (getComputedStyle(around).position === 'static') fix(around, { position: 'relative' });
    const high = element.textContent.trim() ? height : Math.max(height, around.offsetHeight);
    const moved = style.transform !== 'none';
    const top = placeIn(around, box, high, moved);
    fix(element, {
      position: 'absolute', inset: 'auto', top: `${top}px`, left: `${left}px`, margin: '0', width: `${width}px`, height: `${high}px`,
      'box-sizing': 'border-box', ...moved ? { transform: 'none' } : {},
    });
  };

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
    keepStyle(element);
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

  const mostBehind = 2000; // elements that are looked at

  // What follows a layer in its parent and is painted over it.
  const overlapped = (element, box, end) => {
    let looked = 0;
    for (let next = element.nextElementSibling; next && looked < mostBehind; next = next.nextElementSibling, looked++) {
      const { top, bottom, width } = next.getBoundingClientRect();
      if (width > 0 && top < end && bottom > box.bottom && top < box.bottom) return true;
    }
    return false;
  };

  // A layer that sticks to the window while its parent passes is repeated down to the end of the parent, where something lies on it.
  const repeatSticky = (element) => {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (style.position !== 'sticky' || style.top === 'auto' || element.textContent.trim() || !fillsWindow(box) || !element.parentElement) return;
    const end = Math.round(element.parentElement.getBoundingClientRect().bottom);
    if (end <= box.bottom + 1 || !overlapped(element, box, end)) return;
    let last = element;
    for (let top = box.top + box.height, n = 1; top < end && n < mostScreens; top += box.height, n++) {
      const copy = element.cloneNode(true);
      copy.removeAttribute('id');
      copy.setAttribute(copied, '');
      last.after(copy);
      last = copy;
      fix(copy, {
        position: 'absolute', inset: 'auto', top: '0px', left: '0px', margin: '0', width: `${box.width}px`,
        height: `${Math.min(box.height, end - top)}px`, 'box-sizing': 'border-box', transition: 'none', animation: 'none',
      });
      const placed = copy.getBoundingClientRect();
      fix(copy, { top: `${top - placed.top}px`, left: `${box.left - placed.left}px` });
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
      onResume(() => element.removeAttribute(mark));
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
    const all = roots();
    const removeCopies = () => { for (const root of all) for (const copy of root.querySelectorAll(`[${copied}]`)) copy.remove(); };
    removeCopies();
    onResume(() => {
      removeCopies();
      spreadTo = 0;
      spread = false;
    });
    await attachAll();
    const rules = [];
    const fixed = all.flatMap(fixedIn);
    fixed.forEach(bind); // all of them first: what is bound is no layer behind the page any more
    for (const element of fixed) spreadElement(element, height);
    const wide = [...document.querySelectorAll('*')].filter((element) => element instanceof HTMLElement && large(element)).slice(0, mostWide);
    for (const element of wide) {
      spreadPseudo(element, height, rules);
      repeatSticky(element);
    }
    rules.push('*::before,*::after{background-attachment:scroll!important}');
    onResume(adopt(rules.join('\n')));
    return spread;
  };

  const isLayer = (element) => element.hasAttribute(copied) ||
    isBackdrop(getComputedStyle(element), element.getBoundingClientRect(), element.textContent.trim());

  Object.assign(afterimage, { backdrops, isLayer });
})();
