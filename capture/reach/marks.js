// Runs in a page under test, before it is captured: puts a dot of a colour of its own before every text, decides which dots a person
// could bring on the screen by scrolling, and sends the list to the server. It shares no code with what it tests.
addEventListener('load', () => setTimeout(() => {
  const most = 1200;
  // What a carousel that turns by itself shows is a matter of time.
  const skipped = '[data-ride=carousel],[data-bs-ride=carousel],script,style,noscript,template,title,option,select,textarea,svg,math,head,iframe,button,code,pre';
  const dots = [];

  const plant = (root) => {
    const texts = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (data.trim() && (!parentElement || !parentElement.closest(skipped))) texts.push(walker.currentNode);
    }
    for (const text of texts) {
      if (dots.length >= most) return;
      const id = dots.length;
      const colour = ((id + 1) * 6151 + 0x2b1d07) & 0xffffff;
      const dot = document.createElement('i');
      dot.style.cssText = `all:initial;display:inline-block!important;width:4px!important;height:4px!important;flex:none;background:#${colour.toString(16).padStart(6, '0')}!important`;
      text.before(dot);
      dots.push({ id, colour, dot, text: text.data.trim().slice(0, 40) });
    }
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) plant(element.shadowRoot);
  };
  plant(document);

  const up = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
  const named = (element) => (element.id ? `#${element.id}` : element.localName);

  // All that is around a dot, as captures call elements.
  const around = (dot) => {
    const names = [];
    for (let element = up(dot); element; element = up(element)) {
      const [first] = element.classList;
      names.push(element.id ? `#${element.id}` : element.localName + (first ? `.${first}` : ''));
    }
    return names;
  };
  const place = (dot) => {
    const { left, top } = dot.getBoundingClientRect();
    return { x: Math.round(left + scrollX), y: Math.round(top + scrollY) };
  };

  // On what stays on the screen a shadow may lie that colours what is around it.
  const glowing = [...document.querySelectorAll('*')].filter((element) => {
    const { position, boxShadow } = getComputedStyle(element);
    return boxShadow !== 'none' && (position === 'fixed' || getComputedStyle(element.parentElement ?? element).position === 'fixed');
  });
  const inGlow = (dot) => {
    const { left, top } = dot.getBoundingClientRect();
    return glowing.some((element) => {
      const box = element.getBoundingClientRect();
      return !element.contains(dot) && left > box.left - 40 && left < box.right + 40 && top > box.top - 40 && top < box.bottom + 40;
    });
  };

  // Behind a layer that stays on the screen a dot may have another colour, and its text is not what a reader looks at.
  const covered = (dot) => {
    const { left, top } = dot.getBoundingClientRect();
    const above = document.elementFromPoint(left + 2, top + 2);
    if (!above || above === dot || above.contains(dot) || above.shadowRoot) return false;
    for (let around = above; around; around = up(around)) {
      if (around.matches(':modal') || getComputedStyle(around).position === 'fixed') return !around.contains(dot);
    }
    return document.querySelector(':modal') !== null && !dot.closest(':modal');
  };

  // Follows a dot outwards: each box around it lets it be scrolled into its window, shows it as it is, or hides it.
  const reach = (dot) => {
    if (!dot.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return null;
    let box = dot.getBoundingClientRect();
    if (getComputedStyle(up(dot) ?? dot).textShadow !== 'none') return null; // it falls on the dot
    if (box.width < 2 || box.height < 2 || covered(dot) || inGlow(dot)) return null;
    const by = [];
    for (let around = up(dot), fixed = false; around && around !== document.documentElement; around = up(around)) {
      const style = getComputedStyle(around);
      if (style.filter !== 'none' || style.mixBlendMode !== 'normal' || style.opacity !== '1' || style.maskImage !== 'none') return null; // not its colour
      if (style.clipPath !== 'none' || (style.clip !== 'auto' && style.position === 'absolute')) return null;
      const ofWindow = around === document.body && getComputedStyle(document.documentElement).overflowY === 'visible';
      if (style.overflowX === 'visible' && style.overflowY === 'visible' || ofWindow || style.display === 'contents') continue;
      const frame = around.getBoundingClientRect();
      const across = box.left < frame.right - 1 && box.right > frame.left + 1;
      const down = box.top < frame.bottom - 1 && box.bottom > frame.top + 1;
      if (!across && !(scrolls(style.overflowX) && around.scrollWidth > around.clientWidth)) return null;
      if (!down && !(scrolls(style.overflowY) && around.scrollHeight > around.clientHeight)) return null;
      if (!across || !down) { by.push(named(around)); box = frame; }
      if (frame.width < 2 || frame.height < 2) return null;
    }
    const root = document.documentElement;
    const rtl = getComputedStyle(document.body).direction === 'rtl' || getComputedStyle(document.body).writingMode.endsWith('-rl');
    const { overflowX } = getComputedStyle(root).overflowX === 'visible' ? getComputedStyle(document.body) : getComputedStyle(root);
    const most = overflowX === 'hidden' || overflowX === 'clip' ? root.clientWidth : root.scrollWidth;
    const [from, to] = rtl ? [root.clientWidth - most, root.clientWidth] : [0, most];
    if (box.right + scrollX <= from + 1 || box.left + scrollX >= to - 1 || box.bottom + scrollY <= 1) return null;
    return by;
  };

  // Where two dots lie upon each other, one hides the other.
  const boxes = dots.map(({ dot }) => dot.getBoundingClientRect());
  const crossed = boxes.map((box, i) => boxes.some((other, j) => i !== j && other.width > 0 &&
    Math.abs(box.left - other.left) < 4 && Math.abs(box.top - other.top) < 4));

  const list = dots.filter((_, i) => !crossed[i]).map(({ id, colour, dot, text }) =>
    ({ id, colour, text, by: reach(dot), around: around(dot), ...place(dot) })).filter(({ by }) => by);
  fetch('/marks', { method: 'POST', body: JSON.stringify({ page: location.pathname, marks: list }) });
}, 700));
