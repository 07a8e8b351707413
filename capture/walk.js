// The part of our script in the page that finds and reads elements for the steps of a flow. Only pages of flows have it.
(() => {
  'use strict';

  const { roots, everywhere, onResume, keepPlace } = afterimage;

  const mostFound = 1000; // elements of one kind
  const mostText = 1_000_000; // characters of a page

  // Signs of icon fonts say nothing.
  const collapse = (text) => String(text ?? '').replace(/[\uE000-\uF8FF]/g, '').replace(/\s+/g, ' ').trim();
  const lower = (text) => collapse(text).toLowerCase();

  const parentOf = (node) => node.assignedSlot ?? node.parentNode ?? node.host ?? null;
  const contains = (outer, inner) => {
    for (let node = inner; node; node = parentOf(node)) if (node === outer) return true;
    return false;
  };
  const closest = (element, selector) => {
    for (let node = element; node; node = parentOf(node)) if (node instanceof Element && node.matches(selector)) return node;
    return null;
  };

  const isSeen = (element) => {
    if (element instanceof HTMLOptionElement) return Boolean(element.closest('select')) && isSeen(element.closest('select'));
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    if ([...element.getClientRects()].some(({ width, height }) => width > 0 && height > 0)) return true;
    return getComputedStyle(element).display === 'contents' && [...element.children].some(isSeen);
  };
  // Many boxes to tick are hidden behind a label that draws them.
  const surrogate = (element) => (isSeen(element) ? element :
    element instanceof HTMLInputElement && [...element.labels ?? []].find(isSeen) || null);
  const visible = (element) => surrogate(element) !== null;

  const inputRoles = {
    button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider',
    number: 'spinbutton', search: 'searchbox', hidden: '', file: 'button', color: '', date: '', time: '', month: '', week: '',
    'datetime-local': '',
  };
  const roles = {
    a: (e) => (e.hasAttribute('href') ? 'link' : ''), area: (e) => (e.hasAttribute('href') ? 'link' : ''), article: () => 'article',
    aside: () => 'complementary', button: () => 'button', summary: () => 'button', dialog: () => 'dialog', fieldset: () => 'group',
    details: () => 'group', footer: (e) => (closest(e, 'article, aside, main, nav, section') ? '' : 'contentinfo'),
    form: () => 'form', h1: () => 'heading', h2: () => 'heading', h3: () => 'heading', h4: () => 'heading', h5: () => 'heading',
    h6: () => 'heading', header: (e) => (closest(e, 'article, aside, main, nav, section') ? '' : 'banner'), hr: () => 'separator',
    img: (e) => (e.getAttribute('alt') === '' ? '' : 'img'), li: () => 'listitem', main: () => 'main', meter: () => 'meter',
    nav: () => 'navigation', ol: () => 'list', ul: () => 'list', option: () => 'option', output: () => 'status',
    p: () => 'paragraph', progress: () => 'progressbar', section: (e) => (nameOf(e) ? 'region' : ''), table: () => 'table',
    td: () => 'cell', th: () => 'columnheader', tr: () => 'row', textarea: () => 'textbox',
    select: (e) => (e.multiple || e.size > 1 ? 'listbox' : 'combobox'),
    input: (e) => (e.type in inputRoles ? inputRoles[e.type] : e.hasAttribute('list') ? 'combobox' : 'textbox'),
  };
  const roleOf = (element) => {
    const [given] = (element.getAttribute('role') ?? '').trim().split(/\s+/);
    if (given) return given === 'image' ? 'img' : given;
    return roles[element.localName]?.(element) ?? '';
  };

  const namedByContent = new Set(['button', 'link', 'heading', 'option', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio',
    'checkbox', 'radio', 'switch', 'cell', 'columnheader', 'rowheader', 'gridcell', 'row', 'treeitem', 'tooltip']);

  const children = (node) => {
    if (node instanceof HTMLSlotElement && node.assignedNodes().length > 0) return node.assignedNodes();
    return (node.shadowRoot instanceof ShadowRoot ? node.shadowRoot : node).childNodes;
  };
  const silent = 'script, style, noscript, template';

  // The words in an element as assistive technology puts them together.
  const content = (element, hiddenToo, without = null) => [...children(element)].map((node) => {
    if (node instanceof Text) return node.data;
    if (!(node instanceof Element) || node === without || node.matches(silent)) return '';
    if (!hiddenToo && (node.getAttribute('aria-hidden') === 'true' || !node.checkVisibility({ visibilityProperty: true }))) return '';
    const words = node.getAttribute('aria-label') || (node.matches('img, area') ? node.getAttribute('alt') :
      node.matches('input, textarea, select') && node !== without ? valueOf(node) : content(node, hiddenToo, without));
    return getComputedStyle(node).display.startsWith('inline') ? words : ` ${words} `;
  }).join('');

  const labelsOf = (element) => [...element.labels ?? []].map((label) => content(label, true, element)).join(' ');
  const referred = (element) => (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
    .map((id) => element.getRootNode().getElementById?.(id)).filter(Boolean)
    .map((other) => other.getAttribute('aria-label') || content(other, true)).join(' ');
  const child = (element, selector) => {
    const found = element.querySelector(`:scope > ${selector}`);
    return found ? content(found, true) : '';
  };
  const ofMarkup = (element) => {
    switch (element.localName) {
      case 'input':
        if (['submit', 'reset', 'button'].includes(element.type)) {
          return labelsOf(element) || element.value || { submit: 'Submit', reset: 'Reset' }[element.type] || '';
        }
        return labelsOf(element) || (element.type === 'image' ? element.alt || element.value : '');
      case 'textarea': case 'select': case 'meter': case 'progress': case 'output': return labelsOf(element);
      case 'button': return labelsOf(element);
      case 'img': case 'area': return element.getAttribute('alt');
      case 'fieldset': return child(element, 'legend');
      case 'table': return child(element, 'caption');
      case 'figure': return child(element, 'figcaption');
      case 'svg': return child(element, 'title');
      default: return '';
    }
  };
  const nameOf = (element) => collapse(referred(element)) || collapse(element.getAttribute('aria-label')) || collapse(ofMarkup(element)) ||
    (namedByContent.has(roleOf(element)) ? collapse(content(element)) : '') ||
    collapse(element.getAttribute('title')) || collapse(element.getAttribute('placeholder'));

  const testAttributes = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];
  const testIDs = (element) => testAttributes.map((name) => element.getAttribute(name)).filter(Boolean);

  const fields = 'input, textarea, select, button, meter, output, progress, [contenteditable], [role]';
  const buttons = 'input[type=submit], input[type=button], input[type=reset]';

  const wordsIn = (element) => (element.matches(buttons) ? element.value : content(element, true));

  // The innermost elements that have words.
  const withText = (test) => {
    const found = [];
    const search = (element) => {
      if (found.length >= mostFound || !test(wordsIn(element))) return false;
      let inner = false;
      for (const node of children(element)) if (node instanceof Element && !node.matches(silent)) inner = search(node) || inner;
      if (!inner) found.push(element);
      return true;
    };
    if (document.body) search(document.body);
    return found;
  };

  // A heading has the name of the link in it, which is what is meant.
  const innermost = (elements) => (elements.length > 100 ? elements :
    elements.filter((outer) => !elements.some((inner) => inner !== outer && contains(outer, inner))));

  const rendered = (element) => closest(element, '[aria-hidden=true]') === null;

  // All elements that one of the ways to name them fits: those with exactly the words, and those that contain them.
  const matches = (one) => {
    const wanted = one.exact ? collapse : lower;
    const split = (elements, wordsOf, words) => {
      const exact = elements.filter((element) => [wordsOf(element)].flat().some((text) => wanted(text) === wanted(words)));
      const loose = one.exact ? [] : elements.filter((element) => [wordsOf(element)].flat().some((text) => wanted(text).includes(wanted(words))));
      return { exact, loose };
    };
    if (one.css) return { exact: everywhere(one.css), loose: [] };
    if (one.testid) return { exact: everywhere('*').filter((element) => testIDs(element).includes(one.testid)), loose: [] };
    if (one.placeholder) return split(everywhere('[placeholder]'), (element) => element.getAttribute('placeholder'), one.placeholder);
    if (one.text) return split(withText((text) => wanted(text).includes(wanted(one.text))), wordsIn, one.text);
    if (one.label) {
      const labelled = (element) => [labelsOf(element), element.getAttribute('aria-label'), referred(element)].filter(Boolean);
      return split(everywhere(fields), labelled, one.label);
    }
    const inRole = everywhere('*').filter((element) => (one.role === 'any' ? roleOf(element) !== '' || element.hasAttribute('aria-label') :
      roleOf(element) === (one.role === 'image' ? 'img' : one.role)) && rendered(element));
    if (!one.name) return { exact: inRole, loose: [] };
    const { exact, loose } = split(inRole, nameOf, one.name);
    return one.role === 'any' ? { exact: innermost(exact), loose: innermost(loose) } : { exact, loose };
  };

  let found = []; // by alternative

  // Looks for an element in several ways, and tells how many are to be seen, and how many there are.
  const find = (ways) => {
    found = ways.map((one) => {
      let all;
      try { all = matches(one); } catch (error) {
        if (error instanceof DOMException) return null; // no selector
        throw error;
      }
      const sorted = (elements) => {
        const seen = elements.slice(0, mostFound).filter(visible);
        return { seen, all: elements.length };
      };
      return { exact: sorted(all.exact), loose: sorted(all.loose) };
    });
    return found.map((way) => way && { exact: way.exact.seen.length, loose: way.loose.seen.length, exactAll: way.exact.all, looseAll: way.loose.all });
  };
  const take = (way, level, i) => found[way][level].seen[i];

  const pairs = (text) => new Set([...text].map((_, i) => text.slice(i, i + 2)));
  const likeness = (a, b) => {
    const [left, right] = [pairs(a), pairs(b)];
    return 2 * [...left].filter((pair) => right.has(pair)).length / Math.max(left.size + right.size, 1);
  };

  // What of the same kind comes nearest to what was looked for: its words, how like they are, and how many there are of the kind.
  const nearest = (one) => {
    const of = (elements, wordsOf) => elements.filter(visible).flatMap((element) => [wordsOf(element)].flat()).map(collapse).filter(Boolean);
    const words = one.role ? one.name : one.text || one.label || one.placeholder || one.testid;
    let texts = [];
    if (one.role === 'any' || one.text) texts = of(everywhere('a, button, h1, h2, h3, label, summary, [role], p, li, td'), (e) => nameOf(e) || wordsIn(e));
    else if (one.role) texts = of(everywhere('*').filter((element) => roleOf(element) === one.role && rendered(element)), nameOf);
    else if (one.label) texts = of(everywhere(fields), (element) => labelsOf(element) || nameOf(element));
    else if (one.placeholder) texts = of(everywhere('[placeholder]'), (element) => element.placeholder ?? '');
    else if (one.testid) texts = of(everywhere(testAttributes.map((name) => `[${name}]`).join()), testIDs);
    let best = { words: '', score: -1, kind: texts.length };
    for (const text of texts.slice(0, mostFound)) {
      const score = likeness(lower(words), lower(text));
      if (score > best.score) best = { words: text.slice(0, 100), score, kind: texts.length };
    }
    return best;
  };

  const named = (element) => {
    const words = nameOf(element) || collapse(wordsIn(element));
    const place = element.id ? `#${element.id}` : element.classList.length > 0 ? `.${element.classList[0]}` : '';
    return `${element.localName}${place}`.slice(0, 80) + (words ? ` “${words.slice(0, 60)}”` : '');
  };

  const disabled = (element) => element.matches(':disabled') || closest(element, '[aria-disabled=true]') !== null;
  const plainFields = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number']);
  const pickedFields = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range']);
  const controlOf = (element) => (element instanceof HTMLLabelElement && element.control) || element;

  // Why a step cannot be done with an element; '' if it can.
  const obstacle = (element, kind) => {
    if (disabled(controlOf(element))) return 'is disabled';
    const control = controlOf(element);
    const isInput = control instanceof HTMLInputElement;
    if (isInput && control.type === 'file' && kind !== 'hover') return 'opens a chooser of files, which flows do not use';
    if (kind === 'select' && !(control instanceof HTMLSelectElement)) return 'is not a list; click its options';
    if (kind === 'check') {
      const role = roleOf(control);
      return ['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'].includes(role) ? '' : 'cannot be checked';
    }
    if (kind !== 'fill') return '';
    if (control instanceof HTMLSelectElement) return '';
    if (control.readOnly) return 'is read-only';
    const takesText = isInput ? plainFields.has(control.type) || pickedFields.has(control.type) :
      control instanceof HTMLTextAreaElement || control.isContentEditable;
    return takesText ? '' : 'is not a field for text';
  };

  // How a field is filled: typed into, set, or selected from.
  const wayToFill = (element) => {
    const control = controlOf(element);
    if (control instanceof HTMLSelectElement) return 'select';
    return control instanceof HTMLInputElement && pickedFields.has(control.type) ? 'set' : 'type';
  };

  const tellChange = (element) => {
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  };

  // Fields with a picker take a value in their own format only.
  const setValue = (element, value) => {
    const control = controlOf(element);
    control.focus();
    control.value = value;
    if (control.value !== value) return `does not take “${value.slice(0, 60)}”`;
    tellChange(control);
    return '';
  };

  // Prepares a field for being typed into: what it has is selected and will be replaced. True if there is something.
  const beginTyping = (element) => {
    const control = controlOf(element);
    control.focus({ preventScroll: true });
    if (control.select) control.select();
    else getSelection().selectAllChildren(control);
    return collapse(valueOf(control)) !== '';
  };

  const focus = (element) => controlOf(element).focus({ preventScroll: true });

  // Prepares a list for the key by which a reader comes to an option, so that the page hears of it from the browser. Lists that show
  // several options are set. Returns the key, or the options if there is no such one.
  const beginSelecting = (element, words) => {
    const list = controlOf(element);
    const options = [...list.options];
    const by = (test) => options.find((option) => !option.disabled && test(option));
    const chosen = by((o) => collapse(o.label) === collapse(words)) ?? by((o) => o.value === words) ??
      by((o) => lower(o.label) === lower(words)) ?? by((o) => lower(o.label).includes(lower(words)));
    if (!chosen) return { options: options.map((option) => collapse(option.label)).filter(Boolean).slice(0, 20) };
    if (list.multiple || list.size > 1) {
      options.forEach((option) => { option.selected = option === chosen; });
      tellChange(list);
      return { index: chosen.index };
    }
    list.focus({ preventScroll: true });
    if (list.selectedIndex === chosen.index) return { index: chosen.index };
    const usable = options.filter((option) => !option.disabled && !option.parentElement.disabled && !option.hidden);
    const place = usable.indexOf(chosen);
    const neighbour = usable[place - 1] ?? usable[place + 1];
    if (!neighbour) return { index: chosen.index, set: true };
    list.selectedIndex = neighbour.index;
    return { index: chosen.index, key: place > 0 ? 'ArrowDown' : 'ArrowUp' };
  };
  const endSelecting = (element, index) => {
    const list = controlOf(element);
    if (list.multiple || list.size > 1 || list.selectedIndex === index) return;
    list.selectedIndex = index;
    tellChange(list);
  };

  const checked = (element) => {
    const control = controlOf(element);
    return control instanceof HTMLInputElement ? control.checked : control.getAttribute('aria-checked') === 'true';
  };

  const valueOf = (element) => {
    const control = controlOf(element);
    if (control instanceof HTMLSelectElement) return [...control.selectedOptions].map((option) => collapse(option.label)).join(', ');
    return control.value ?? control.textContent;
  };
  const textOf = (element) => (element.matches('input, textarea, select') ? valueOf(element) : element.innerText ?? element.textContent);

  // The words of this document as a reader sees them, with those in open shadow trees.
  const text = () => roots().map((root) => (root === document ? document.body?.innerText ?? '' :
    [...root.children].filter((element) => !element.matches(silent)).map((element) => element.innerText ?? '').join('\n')))
    .join('\n').slice(0, mostText);

  const hitsLabel = (element, hit) => {
    const label = closest(hit, 'label');
    return label?.control === element || element instanceof HTMLLabelElement && element.control !== null && contains(element.control, hit);
  };
  // What lies at a point that belongs to an element; '' if it is the element itself, or part of it.
  const covers = (element, hit) => (contains(element, hit) || hitsLabel(element, hit) ? '' : named(hit instanceof Element ? hit : hit.parentElement));

  // Where a page that is scrolled by a step ends up at once.
  const scrollWindow = (where) => {
    const { scrollingElement } = document;
    scrollingElement.scrollTo({ top: where === 'top' ? 0 : scrollingElement.scrollHeight, left: 0, behavior: 'instant' });
  };
  const scrollInto = (element) => element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });

  // Remembers where the page is scrolled to, and scrolls it up for a picture.
  const beginPicture = () => {
    const { scrollingElement } = document;
    if (!scrollingElement) return;
    keepPlace(scrollingElement);
    if (window === top) scrollingElement.scrollTo({ top: 0, left: 0, behavior: 'instant' });
  };
  const offset = () => ({ x: scrollX, y: scrollY });
  // The size of the part of the page on the screen. Telephones zoom.
  const screenSize = () => ({ x: visualViewport.width, y: visualViewport.height });
  const host = () => {
    try {
      const { host: name, protocol } = new URL(origin);
      return { name, protocol };
    } catch { return { name: '', protocol: '' }; }
  };

  // Links and forms that lead to another window are followed in this one.
  const within = new Set(['', '_self', '_parent', '_top']);
  const stay = (element, name) => {
    const target = element?.getAttribute(name) ?? document.querySelector('base[target]')?.target ?? '';
    if (!element || within.has(target.toLowerCase()) || document.querySelector(`iframe[name="${CSS.escape(target)}"]`)) return;
    const before = element.getAttribute(name);
    element.setAttribute(name, '_top');
    setTimeout(() => {
      if (before === null) element.removeAttribute(name);
      else element.setAttribute(name, before);
    });
  };
  addEventListener('click', (event) => {
    stay(event.composedPath().find((node) => node instanceof Element && node.matches('a[href], area[href]')), 'target');
  }, true);
  addEventListener('submit', (event) => {
    if (event.submitter?.hasAttribute('formtarget')) stay(event.submitter, 'formtarget');
    else stay(event.target, 'target');
  }, true);

  // Tells when a click has reached this document.
  let click = Promise.resolve();
  const expectClick = () => {
    click = new Promise((resolve) => { addEventListener('click', () => resolve(), { capture: true, once: true }); });
  };
  const clicked = () => click;

  // The addresses of windows that scripts wanted to open; see windows.js.
  const refused = [];
  const listen = (token) => addEventListener(`${token} window`, (event) => {
    event.stopImmediatePropagation();
    if (refused.length < 20) refused.push(String(event.detail).slice(0, 500));
  });
  const windows = () => refused.splice(0);

  // What does not understand itself as a selector.
  const wrong = (selectors) => selectors.filter((selector) => {
    try { document.createDocumentFragment().querySelector(selector); } catch { return true; }
    return false;
  });

  Object.assign(afterimage, {
    find, take, nearest, named, obstacle, surrogate, wayToFill, setValue, beginTyping, focus, beginSelecting, endSelecting, checked, valueOf, textOf,
    text, expectClick, clicked, covers, scrollWindow, scrollInto, beginPicture, offset, screenSize, host, listen, windows, wrong, onResume,
  });
})();
