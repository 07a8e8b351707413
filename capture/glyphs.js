// The part of our script in the page that finds characters for which no font on this machine has a picture: they are drawn as boxes
// that all look alike, so that a word may change and nothing is to be seen.
(() => {
  'use strict';

  const { roots } = afterimage;

  const beyondLatin = /[^\u0000-\u024f\u2000-\u206f]/;
  const mostTexts = 20_000;
  const mostOfBlock = 2; // characters that are tried of each block of 128: a font has most of a block, or nothing
  const mostTried = 200;
  const size = 24; // px

  const invisible = /[\p{C}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\p{Regional_Indicator}]/u;
  const drawable = (code) => !invisible.test(String.fromCodePoint(code)); // characters for private use count as control characters

  // Characters to try, each with the fonts in which it is set. Icons of private fonts are none.
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
          found.set(character, getComputedStyle(element).fontFamily);
        }
      }
    }
    return found;
  };

  // The characters that are drawn like one that cannot exist.
  const missingGlyphs = () => {
    const candidates = toTry();
    if (candidates.size === 0) return '';
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 2 * size;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const drawn = (text, fonts) => {
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.font = `${size}px ${fonts}`;
      context.fillText(text, 4, 1.5 * size);
      return context.getImageData(0, 0, canvas.width, canvas.height).data.join();
    };
    const boxes = new Map(); // by fonts
    const missing = [];
    for (const [character, fonts] of candidates) {
      if (!boxes.has(fonts)) boxes.set(fonts, drawn('\u{5fffd}', fonts));
      if (drawn(character, fonts) === boxes.get(fonts)) missing.push(character);
    }
    return missing.slice(0, 20).join(' ');
  };

  Object.assign(afterimage, { missingGlyphs });
})();
