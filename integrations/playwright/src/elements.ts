import type { Box, Element } from './facts.js';

/** What part of a document a picture shows, in CSS pixels of the document, and what of it is covered. */
export interface Part {
  box: Box;
  masks: Box[];
}

/**
 * Lists the visible elements of a part of the document, as Afterimage's own captures do. It runs in the page, so everything that it
 * needs is in it.
 */
export function listElements(part: Part): Element[] {
  const most = 4000;
  const longest = 200;
  const deepest = 1000; // of nested elements: parsers stop at 512, scripts do not
  const roles: Record<string, string> = {
    article: 'article', aside: 'complementary', button: 'button', dialog: 'dialog', form: 'form', h1: 'heading', h2: 'heading',
    h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', hr: 'separator', img: 'img', li: 'listitem', main: 'main',
    nav: 'navigation', ol: 'list', p: 'paragraph', select: 'combobox', svg: 'img', table: 'table', td: 'cell', textarea: 'textbox',
    th: 'columnheader', tr: 'row', ul: 'list',
  };
  const inputRoles: Record<string, string> = {
    text: 'textbox', email: 'textbox', tel: 'textbox', url: 'textbox', search: 'searchbox', checkbox: 'checkbox', radio: 'radio',
    range: 'slider', number: 'spinbutton', button: 'button', submit: 'button', reset: 'button', image: 'button',
  };
  const found: Element[] = [];
  const { box: picture, masks } = part;

  const cut = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, longest);
  const overlaps = (a: Box, b: Box) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  const covers = (a: Box, b: Box) =>
    a.x <= b.x && a.y <= b.y && a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height;

  function boxOf(element: globalThis.Element): Box {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const x = Math.floor(left + scrollX);
    const y = Math.floor(top + scrollY);
    return { x, y, width: Math.ceil(right + scrollX) - x, height: Math.ceil(bottom + scrollY) - y };
  }

  function roleOf(element: globalThis.Element, tag: string): string {
    const given = element.getAttribute('role')?.trim().split(/\s+/)[0]?.toLowerCase();
    if (given) {
      return given;
    }
    if (tag === 'input') {
      return inputRoles[(element as HTMLInputElement).type] ?? '';
    }
    return tag === 'a' && element.getAttribute('href') ? 'link' : (roles[tag] ?? '');
  }

  function textOf(element: globalThis.Element): string {
    let text = '';
    for (const node of element.childNodes) {
      text += node.nodeType === Node.TEXT_NODE ? ` ${node.nodeValue ?? ''}` : '';
    }
    return cut(text) || cut(['alt', 'aria-label', 'placeholder'].map((name) => element.getAttribute(name) ?? '').find(Boolean) ?? '');
  }

  function hex(color: string): string {
    const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(color);
    if (!parts) {
      return color;
    }
    const alpha = parts[4] === undefined ? 1 : Number(parts[4]);
    const digits = parts.slice(1, 4).map(Number);
    if (alpha < 1) {
      digits.push(Math.round(alpha * 255));
    }
    return alpha === 0 ? '' : `#${digits.map((n) => n.toString(16).padStart(2, '0')).join('')}`;
  }

  function sourceOf(element: globalThis.Element, tag: string): string {
    if (!['img', 'iframe', 'video', 'embed', 'input', 'source', 'audio'].includes(tag)) {
      return '';
    }
    const address = element.getAttribute('src') ?? '';
    return address.startsWith('data:') ? `${address.slice(0, 60)}… (${address.length} characters)` : address.slice(0, longest);
  }

  /** The path from the nearest ancestor with a unique id; own tells the element from its siblings. */
  function selectorOf(element: globalThis.Element, own: string, above: string): string {
    const { id } = element;
    const root = element.getRootNode() as Document | ShadowRoot;
    if (/^[A-Za-z][\w-]*$/.test(id) && root.querySelectorAll(`#${id}`).length === 1) {
      return root instanceof ShadowRoot ? `${above} >>> #${id}` : `#${id}`;
    }
    if (above === '') {
      return own;
    }
    return `${above}${element.parentNode instanceof ShadowRoot ? ' >>> ' : ' > '}${own}`;
  }

  /** What tells each child from its siblings, in one pass: lists may have tens of thousands of entries. */
  function ownSelectors(children: HTMLCollection): string[] {
    const totals = new Map<string, number>();
    const places = [...children].map(({ localName }) => {
      const place = (totals.get(localName) ?? 0) + 1;
      totals.set(localName, place);
      return place;
    });
    return [...children].map(({ localName }, n) => ((totals.get(localName) ?? 0) > 1 ? `${localName}:nth-of-type(${places[n]})` : localName));
  }

  function visit(element: globalThis.Element, own: string, parent: number, above: string, fixed: boolean, depth: number): void {
    const style = getComputedStyle(element);
    if (found.length >= most || depth > deepest || style.opacity === '0' || style.display === 'none') {
      return;
    }
    const tag = element.localName;
    const box = boxOf(element);
    const selector = selectorOf(element, own, above);
    const stays = fixed || style.position === 'fixed' || style.position === 'sticky';
    const listed =
      style.visibility === 'visible' && overlaps(box, picture) && box.width > 0 && box.height > 0 &&
      !masks.some((mask) => covers(mask, box));
    if (listed) {
      found.push({
        box: { x: box.x - picture.x, y: box.y - picture.y, width: box.width, height: box.height },
        selector, tag, role: roleOf(element, tag), text: textOf(element), parent, classes: cut(element.getAttribute('class') ?? ''),
        source: sourceOf(element, tag), fixed: stays, color: hex(style.color), background: hex(style.backgroundColor),
        font: cut(`${style.fontSize} ${(style.fontFamily.split(',')[0] ?? '').replace(/"/g, '').trim()}`),
      });
    }
    const number = listed ? found.length - 1 : parent;
    if (tag === 'svg') {
      return; // a picture, recorded as a whole
    }
    for (const { children } of [element.shadowRoot, element].filter((root) => root !== null)) {
      const owns = ownSelectors(children);
      [...children].forEach((child, n) => visit(child, owns[n] ?? '', number, selector, stays, depth + 1));
    }
  }

  visit(document.documentElement, 'html', -1, '', false, 0);
  return found;
}

/** Settles what a picture would show half done: fonts, and pictures that load once they come into view. It runs in the page. */
export async function settle(patience: number): Promise<void> {
  const pictures = [...document.images].map(async (image) => {
    image.loading = 'eager';
    await image.decode().catch(() => undefined); // a broken one stays broken
  });
  const late = new Promise((resolve) => setTimeout(resolve, patience));
  await Promise.race([Promise.all([document.fonts.ready, ...pictures]), late]);
}
