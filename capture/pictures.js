// The part of our script in the page that stops animations inside of SVG files that are shown as pictures: no script reaches into these, and
// how far they have got depends on when the file arrived.
(() => {
  'use strict';

  const { roots, onResume, adopt, frame, seen, named } = afterimage;

  const past = 60; // seconds that styles are ahead: as for the SVG of the document itself
  const haste = 1000; // by which times of SVG's own animations pass faster: what ends before the file begins is not shown
  const frames = 4; // until what is shown instead has come to its end
  const marker = 'data-afterimage-still';
  const properties = ['background-image', 'mask-image', 'border-image-source', 'list-style-image', 'content'];

  const endless = (animation) => ['repeatCount', 'repeatDur'].some((name) => animation.getAttribute(name) === 'indefinite') &&
    !animation.hasAttribute('end');

  const clock = /^\s*[+-]?(\d+:)?(\d+:)?\d+(\.\d+)?(h|min|s|ms)?\s*$/;
  const seconds = (time) => {
    const sign = time.trim().startsWith('-') ? -1 : 1;
    const text = time.trim().replace(/^[+-]/, '');
    if (text.includes(':')) return sign * text.split(':').reduce((sum, part) => sum * 60 + parseFloat(part), 0);
    const unit = { h: 3600, min: 60, s: 1, ms: 0.001 }[text.replace(/[\d.]/g, '')] ?? 1;
    return sign * parseFloat(text) * unit;
  };
  const hasten = (animation) => {
    for (const name of ['begin', 'end', 'dur', 'repeatDur', 'min', 'max']) {
      const times = animation.getAttribute(name);
      if (times === null) continue;
      const sooner = (time) => time.replace(/(^|[+-])([^+-]+)$/, (whole, sign, offset) =>
        (clock.test(offset) ? `${sign}${(seconds(offset) / haste).toFixed(6)}s` : whole));
      animation.setAttribute(name, times.split(';').map(sooner).join(';'));
    }
  };

  // Animations that begin again when another one ends may do so for ever.
  const takesTurns = (animation) => {
    const begins = (animation.getAttribute('begin') ?? '').split(';');
    return begins.length > 1 && begins.some((time) => /\.(begin|end|repeat)/.test(time));
  };

  // What repeats endlessly is not played at all, as in the document.
  const withoutEndless = (css) => css.replace(/(animation(?:-iteration-count)?\s*:)([^;}]*)/gi,
    (_, name, value) => name + value.replace(/\binfinite\b/gi, '0'));

  // The same picture at its end, as an address; null for one that does not move, false for one that cannot be stopped.
  const stilled = (text) => {
    const file = new DOMParser().parseFromString(text, 'image/svg+xml');
    const root = file.documentElement;
    if (root.localName !== 'svg' || file.querySelector('parsererror')) return null;
    const animations = [...file.querySelectorAll('animate, animateMotion, animateTransform, animateColor, set')];
    const styles = [...file.querySelectorAll('style')].filter((style) => /animation/i.test(style.textContent));
    const styled = [...file.querySelectorAll('[style*=animation i]')];
    if (animations.length + styles.length + styled.length === 0) return null;
    if (animations.some(takesTurns)) return false;
    for (const animation of animations) {
      if (endless(animation)) animation.remove();
      else hasten(animation);
    }
    for (const style of styles) style.textContent = withoutEndless(style.textContent);
    for (const element of styled) element.setAttribute('style', withoutEndless(element.getAttribute('style')));
    const sheet = file.createElementNS('http://www.w3.org/2000/svg', 'style');
    sheet.textContent = `*,*::before,*::after{animation-delay:-${past}s!important;animation-play-state:paused!important}`;
    root.append(sheet);
    return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(file))}`;
  };

  const known = new Map(); // by address: what is shown instead, null for the file itself, false for one that goes on
  let shown = []; // how it is undone
  let stopped = new Set(); // elements that show something else instead
  let going = new Set(); // elements that show what goes on
  const mostTold = 20;
  let marks = 0;

  let at = null; // the element that is looked at

  const addressOf = (address) => {
    const [file, ...part] = address.split('#');
    const instead = known.get(file) ?? known.get(address);
    if (instead === false) going.add(at);
    if (instead) stopped.add(at);
    return instead ? [instead, ...known.has(address) ? [] : part].join('#') : null;
  };

  const withStill = (value) => value.replace(/url\("((?:[^"\\]|\\.)*)"\)/g, (whole, address) => {
    const instead = addressOf(address.replace(/\\(.)/g, '$1'));
    return instead ? `url("${instead}")` : whole;
  });

  const styleFor = (style) => properties.flatMap((name) => {
    const value = style.getPropertyValue(name);
    const still = value.includes('url(') ? withStill(value) : value;
    return still === value ? [] : [[name, still]];
  });

  const setStyle = (element, own) => {
    const before = element.getAttribute('style');
    for (const [name, value] of own) element.style.setProperty(name, value, 'important');
    shown.push(() => {
      if (before === null) element.removeAttribute('style');
      else element.setAttribute('style', before);
    });
  };

  const setPseudo = (root, element, pseudo, own) => {
    const mark = element.getAttribute(marker) ?? String(marks++);
    element.setAttribute(marker, mark);
    const css = own.map(([name, value]) => `${name}:${value}!important`).join(';');
    const take = adopt(`[${marker}="${mark}"]${pseudo}{${css}}`, root);
    shown.push(() => { take(); element.removeAttribute(marker); });
  };

  const stillIn = (root, element) => {
    at = element;
    const picture = element.matches('img') ? addressOf(element.currentSrc) : null;
    const own = picture ? [['content', `url("${picture}")`]] : styleFor(getComputedStyle(element));
    if (own.length > 0) setStyle(element, own);
    for (const pseudo of ['::before', '::after']) {
      const ofPseudo = styleFor(getComputedStyle(element, pseudo));
      if (ofPseudo.length > 0) setPseudo(root, element, pseudo, ofPseudo);
    }
    const link = element.localName === 'image' ? element.href?.baseVal : null;
    const instead = link ? addressOf(new URL(link, document.baseURI).href) : null;
    if (!instead) return;
    const before = element.getAttribute('href');
    element.setAttribute('href', instead);
    shown.push(() => (before === null ? element.removeAttribute('href') : element.setAttribute('href', before)));
  };

  // Shows pictures that move, given as [address, text], as they are at their end. A text that is empty is too large. Where the page's
  // content security policy does not allow it, they go on.
  const stillPictures = async (files) => {
    for (const [address, text] of files) {
      if (known.has(address)) continue;
      try { known.set(address, text === '' ? false : stilled(text)); } catch { known.set(address, null); } // not to be parsed here
    }
    if ([...known.values()].every((instead) => instead === null)) return;
    if (shown.length === 0) onResume(movePictures);
    const refused = () => {
      going = new Set([...going, ...stopped]);
      movePictures();
      known.clear();
    };
    going = new Set();
    document.addEventListener('securitypolicyviolation', refused, { once: true });
    for (const root of roots()) for (const element of root.querySelectorAll('*')) stillIn(root, element);
    if (stopped.size > 0) for (let i = 0; i < frames; i++) await frame();
    document.removeEventListener('securitypolicyviolation', refused);
  };

  // The pictures that go on: the picture of the page shows them as they happened to be.
  const playing = () => [...going].filter((element) => element.isConnected && seen(element)).slice(0, mostTold)
    .map((element) => ({ kind: 'playing', element: named(element) }));

  // Gives the page its own pictures back.
  const movePictures = () => {
    for (const undo of shown.splice(0).reverse()) undo();
    stopped = new Set();
  };

  Object.assign(afterimage, { stillPictures, movePictures, playing });
})();
