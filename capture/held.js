// The part of our script in the page that reads what boxes hold out of sight: no picture shows it, but two visits can be compared by it.
(() => {
  'use strict';

  const { shownIn, extentOf, coloured, checksum } = afterimage;

  const mostElements = 3000; // of one box
  const mostText = 4000; // characters that are kept of one box; what follows counts only in its checksum
  const mostEmpty = 300; // px at the end of a box that may have nothing in it
  const mostFiles = 100; // of one box

  const alien = 'iframe, frame, object, embed, video:not([poster])';
  const unreadable = `canvas, ${alien}`;
  const fields = 'textarea, select'; // not what was typed into others: it may be a secret
  const sides = ['top', 'right', 'bottom', 'left'].flatMap((side) =>
    ['color', 'style', 'width'].map((what) => `border-${side}-${what}`));
  const looks = ['color', 'background-color', 'background-image', 'background-size', 'background-position', 'font-family', 'font-size',
    'font-weight', 'font-style', 'letter-spacing', 'text-align', 'text-decoration-line', 'text-transform', 'text-shadow', ...sides,
    'border-top-left-radius', 'box-shadow', 'opacity', 'filter', 'clip-path', 'mix-blend-mode', 'object-fit', 'object-position',
    'list-style-type', 'list-style-image'];

  // Files by their names: two sites have them at different addresses, and what scripts make has another one at each visit.
  const nameOf = (address) => {
    if (address.startsWith('data:')) return `data ${checksum(address)}`;
    if (address.startsWith('blob:')) return 'blob';
    try { return new URL(address, document.baseURI).pathname.split('/').at(-1) || 'unnamed'; } catch { return address; }
  };
  const inUrls = /url\("([^"]*)"\)/g;
  const withoutAddresses = (style) => style.replace(inUrls, (whole, address) => nameOf(address));
  const addressesIn = (style) => [...style.matchAll(inUrls)].map(([, address]) => address);

  // The files of which an element shows something, but for its backgrounds.
  const filesOf = (element) => {
    const { localName, naturalWidth, currentSrc } = element;
    if (localName === 'img') return naturalWidth > 0 || /\.svg\b/.test(currentSrc) ? [currentSrc] : []; // drawings may have no size
    return localName === 'video' ? [element.poster] : [];
  };

  const pictureOf = (element) => {
    switch (element.localName) {
      case 'img': return `[${nameOf(element.currentSrc || element.src)} ${element.naturalWidth}×${element.naturalHeight}]`;
      case 'svg': return `[drawing ${checksum(element.outerHTML)}]`;
      case 'video': return `[${nameOf(element.poster)}]`;
      case 'audio': return `[${nameOf(element.currentSrc || element.src)}]`;
    }
    return '';
  };

  const wordsOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.matches('option, optgroup')) return node.label;
    return node.matches(fields) ? node.value : pictureOf(node);
  };

  // How an element looks itself, with what styles put before and after its content, and the addresses of the files that these show.
  const looksOf = (element) => {
    const addresses = [];
    const parts = [null, '::before', '::after'].map((pseudo) => {
      const style = getComputedStyle(element, pseudo);
      if (pseudo && /^(none|normal)$/.test(style.content)) return '';
      const values = [...looks, ...pseudo ? ['content'] : []].map((name) => style.getPropertyValue(name));
      for (const value of values) if (value.includes('url(')) addresses.push(...addressesIn(value));
      return values.map(withoutAddresses).join(' ');
    });
    return { look: `${element.localName} ${parts.join('|')}`, addresses };
  };

  // Lines with the files that they show, as they are told: what has no room, and the looks, only count in checksums.
  const heldOf = (lines, looks, files) => {
    const text = lines.join('\n');
    const kept = text.slice(0, mostText).split('\n').length - (text.length > mostText ? 1 : 0); // lines that are whole
    for (const file of files) if (file.line >= kept) file.line = -1;
    return { text: `${text.slice(0, mostText)}\n${checksum(text.slice(mostText))} ${checksum(looks.join('\n'))}`, files };
  };

  // A reader's view of all that a box holds beyond the part that is shown: its texts and pictures line by line, then checksums of what has
  // no room and of how the parts look and stand in each other, and the files they show, each with the number of its line (-1 for none).
  // null if that cannot be told: something has content of its own, there is too much, or parts that come later are not there yet.
  // Beyond is what lies there with its middle, unless something else is said. What is on a canvas may be read by others.
  const held = (box, shown, pixels, isOut, drawn = false) => {
    const out = isOut ?? (({ left, top, right, bottom }) => left + right > 2 * shown.right || left + right < 2 * shown.left ||
      top + bottom > 2 * shown.bottom || top + bottom < 2 * shown.top);
    const beyond = ({ left, top, right, bottom }) =>
      Math.max(shown.left - left, shown.top - top, right - shown.right, bottom - shown.bottom);
    const lines = [];
    const seen = [];
    const files = [];
    const shows = (line, addresses) => files.push(...addresses.filter((address) => !address.startsWith('data:'))
      .map((address) => ({ line, address })));
    // Where a part stands in another that is out of sight as well. What a row moves as a whole does not count.
    const placed = (extent, around) => {
      const from = around !== box && out(around.getBoundingClientRect()) ? around.getBoundingClientRect() : extent;
      return [extent.left - from.left, extent.top - from.top, extent.width, extent.height].map(Math.round).join(' ');
    };
    let farthest = 0; // to where there is something, however much of its part it takes
    const reaches = (extent) => { farthest = Math.max(farthest, beyond(extent)); };
    const all = [box];
    for (let i = 0; i < all.length; i++) {
      if (all.length > mostElements || files.length > mostFiles) return null;
      for (const node of shownIn(all[i])) {
        const element = node.nodeType === Node.ELEMENT_NODE;
        const words = element || node.nodeType === Node.TEXT_NODE ? wordsOf(node).replace(/\s+/g, ' ').trim() : '';
        if (!element && words === '' || element && !node.checkVisibility({ visibilityProperty: true })) continue;
        if (!element && !all[i].checkVisibility({ visibilityProperty: true })) continue;
        const extent = extentOf(node);
        if (element && out(extent)) {
          const closed = node.localName.includes('-') && !(node.shadowRoot instanceof ShadowRoot) && !node.firstChild;
          if (closed || node.matches(drawn ? alien : unreadable)) return null;
          const { look, addresses } = looksOf(node);
          seen.push(`${look} ${placed(extent, all[i])}`);
          shows(-1, addresses);
          if (extent.width <= box.clientWidth && extent.height <= box.clientHeight && coloured(node)) reaches(extent);
        }
        if (words !== '' && out(extent)) {
          if (element) shows(lines.length, filesOf(node));
          lines.push(words);
          reaches(element || all[i] === box ? extent : extentOf(all[i]));
        }
        if (element && !node.matches('svg, select')) all.push(node);
      }
    }
    if (box.localName === 'textarea') lines.push(box.value);
    else if (pixels - farthest > Math.max(mostEmpty, pixels / 4)) return null;
    return heldOf(lines, seen, files);
  };

  // Parts that take no room, of which one at a time is shown: likewise, as far as something can be told of what is not laid out. Pictures
  // behind them are not even loaded.
  const heldHidden = (parts) => {
    const lines = [];
    const looked = [];
    const files = [];
    const all = [...parts];
    for (let i = 0; i < all.length; i++) {
      if (all.length > mostElements || files.length > mostFiles || all[i].matches(unreadable)) return null;
      if (i >= parts.length) {
        if (getComputedStyle(all[i]).display === 'none') continue;
        looked.push(looksOf(all[i]).look);
      }
      for (const node of [all[i], ...shownIn(all[i])]) {
        const element = node.nodeType === Node.ELEMENT_NODE;
        if (element && node !== all[i]) {
          if (!node.matches('script, style, template, noscript, svg *')) all.push(node);
          continue;
        }
        const words = element || node.nodeType === Node.TEXT_NODE ? wordsOf(node).replace(/\s+/g, ' ').trim() : '';
        if (words === '') continue;
        if (element) files.push(...filesOf(node).filter((address) => !address.startsWith('data:')).map((address) => ({ line: lines.length, address })));
        lines.push(words);
      }
    }
    return heldOf(lines, looked, files);
  };

  Object.assign(afterimage, { held, heldHidden, heldOf, looksOf });
})();
