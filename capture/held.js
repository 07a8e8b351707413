// The part of our hand in the page that reads what boxes hold out of sight: no picture shows it, but two visits can be compared by it.
(() => {
  'use strict';

  const { shownIn, extentOf, coloured } = afterimage;

  const mostElements = 3000; // of one box
  const mostText = 4000; // characters that are kept of one box; what follows counts only in its checksum
  const mostEmpty = 300; // px at the end of a box that may have nothing in it

  const unreadable = 'canvas, iframe, frame, object, embed';
  const pictures = 'img, svg, video, audio';
  const fields = 'textarea, select'; // not what was typed into others: it may be a secret
  const looks = ['color', 'background-color', 'background-image', 'font-size', 'font-weight', 'border-top-color', 'opacity'];

  // FNV-1a.
  const checksum = (text) => {
    let sum = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193) >>> 0;
    return sum.toString(16);
  };

  // Files by their names: two sites have them at different addresses.
  const nameOf = (address) => {
    if (address.startsWith('data:')) return `data ${checksum(address)}`;
    try { return new URL(address, document.baseURI).pathname.split('/').at(-1); } catch { return address; }
  };
  const withoutAddresses = (style) => style.replace(/url\("([^"]*)"\)/g, (whole, address) => nameOf(address));

  const wordsOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.matches('option, optgroup')) return node.label;
    if (node.matches('svg')) return `[drawing ${checksum(node.outerHTML)}]`;
    if (node.matches(pictures)) return `[${nameOf(node.currentSrc || node.src || '')}]`;
    if (node.matches(fields)) return node.value;
    return '';
  };

  const looksOf = (element) => {
    const style = getComputedStyle(element);
    return [element.localName, ...looks.map((name) => withoutAddresses(style.getPropertyValue(name)))].join(' ');
  };

  // A reader's view of all that a box holds beyond the part that is shown: its texts and pictures line by line, then checksums of what has
  // no room and of how the parts look. '' if that cannot be told: something has content of its own, there is too much, or parts that come later are not there yet.
  const held = (box, shown, pixels) => {
    const out = ({ left, top, right, bottom }) => left + right > 2 * shown.right || left + right < 2 * shown.left ||
      top + bottom > 2 * shown.bottom || top + bottom < 2 * shown.top;
    const beyond = ({ left, top, right, bottom }) =>
      Math.max(shown.left - left, shown.top - top, right - shown.right, bottom - shown.bottom);
    const lines = [];
    const seen = [];
    let farthest = 0; // to where there is something, however much of its part it takes
    const reaches = (extent) => { farthest = Math.max(farthest, beyond(extent)); };
    const all = [box];
    for (let i = 0; i < all.length; i++) {
      if (all.length > mostElements) return '';
      for (const node of shownIn(all[i])) {
        const element = node.nodeType === Node.ELEMENT_NODE;
        const words = element || node.nodeType === Node.TEXT_NODE ? wordsOf(node).replace(/\s+/g, ' ').trim() : '';
        if (!element && words === '' || element && !node.checkVisibility({ visibilityProperty: true })) continue;
        if (!element && !all[i].checkVisibility({ visibilityProperty: true })) continue;
        const extent = extentOf(node);
        if (element && out(extent)) {
          if (node.matches(unreadable) || node.localName.includes('-') && !(node.shadowRoot instanceof ShadowRoot) && !node.firstChild) return '';
          seen.push(looksOf(node));
          if (extent.width <= box.clientWidth && extent.height <= box.clientHeight && coloured(node)) reaches(extent);
        }
        if (words !== '' && out(extent)) {
          lines.push(words);
          reaches(element || all[i] === box ? extent : extentOf(all[i]));
        }
        if (element && !node.matches('svg, select')) all.push(node);
      }
    }
    if (box.localName === 'textarea') lines.push(box.value);
    else if (pixels - farthest > Math.max(mostEmpty, pixels / 4)) return '';
    const text = lines.join('\n');
    return `${text.slice(0, mostText)}\n${checksum(text.slice(mostText))} ${checksum(seen.join('\n'))}`;
  };

  Object.assign(afterimage, { held });
})();
