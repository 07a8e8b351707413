// The part of our script in the page that finds characters for which no font on this machine has a picture: they are drawn as boxes
// that all look alike, so that a word may change and nothing is to be seen.
(() => {
  'use strict';

  const { roots, everywhere } = afterimage;

  const beyondLatin = /[^\u0000-\u024f\u2000-\u206f]/;
  const mostTexts = 20_000;
  const mostOfBlock = 2; // characters that are tried of each block of 128: a font has most of a block, or nothing
  const mostTried = 200;
  const size = 24; // px

  const mostStyled = 5000; // elements of a page without its icons that are looked into

  const ofIcons = /\p{Co}/u; // for private use: icons, mostly
  const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\p{Regional_Indicator}]/u;
  const drawable = (code) => !invisible.test(String.fromCodePoint(code));

  const fontOf = ({ fontStyle, fontWeight, fontFamily }) => `${fontStyle} ${fontWeight} ${size}px ${fontFamily}`;

  // Icons that styles put before or after elements, of a page one of whose fonts did not load. Elsewhere a font has them.
  const addIcons = (found) => {
    if (![...document.fonts].some(({ status }) => status === 'error')) return;
    for (const element of everywhere('*').slice(0, mostStyled)) {
      for (const pseudo of ['::before', '::after']) {
        const style = getComputedStyle(element, pseudo);
        const icon = ofIcons.exec(style.content)?.[0];
        if (icon && found.size < mostTried && !found.has(icon) && element.checkVisibility()) found.set(icon, fontOf(style));
      }
    }
  };

  // Characters to try, each with the font in which it is set.
  const toTry = () => {
    const found = new Map();
    const ofBlock = new Map();
    let texts = 0;
    for (const root of roots()) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && texts < mostTexts && found.size < mostTried; node = walker.nextNode(), texts++) {
        const element = node.parentElement ?? root.host;
        if (!beyondLatin.test(node.data) || !element || element.matches('script, style, noscript, template')) continue;
        for (const character of node.data.slice(0, 2000)) {
          const code = character.codePointAt(0);
          const block = code >> 7;
          if (code < 0x250 || found.has(character) || (ofBlock.get(block) ?? 0) >= mostOfBlock || !drawable(code)) continue;
          if (!element.checkVisibility()) break;
          ofBlock.set(block, (ofBlock.get(block) ?? 0) + 1);
          found.set(character, fontOf(getComputedStyle(element)));
        }
      }
    }
    addIcons(found);
    return found;
  };

  const isBlank = (pixels) => !/[1-9]/.test(pixels);

  // Nobody can read a character for private use.
  const named = (character) => (ofIcons.test(character) ? `U+${character.codePointAt(0).toString(16).toUpperCase()}` : character);

  // The characters that are drawn like one that cannot exist.
  const missingGlyphs = () => {
    const candidates = toTry();
    if (candidates.size === 0) return '';
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 2 * size;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const drawn = (text, fonts) => {
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.font = fonts;
      context.fillText(text, 4, 1.5 * size);
      return context.getImageData(0, 0, canvas.width, canvas.height).data.join();
    };
    const boxes = new Map(); // by fonts
    const missing = [];
    for (const [character, fonts] of candidates) {
      if (!boxes.has(fonts)) boxes.set(fonts, drawn('\u{5fffd}', fonts));
      // What a font draws as nothing may be meant to be so.
      if (drawn(character, fonts) === boxes.get(fonts) && !(ofIcons.test(character) && isBlank(boxes.get(fonts)))) missing.push(character);
    }
    return missing.slice(0, 20).map(named).join(' ');
  };

  Object.assign(afterimage, { missingGlyphs });
})();
