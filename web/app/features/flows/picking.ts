import type { PickedElementsQuery } from '../../api/generated/graphql';
import { newTarget, type Target } from './selector';

/** An element of a screenshot; its box is in pixels of the image. */
export type Element = NonNullable<NonNullable<PickedElementsQuery['screenshot']>['content']>['elements'][number];

/** A place of the image, in its pixels. */
export interface Point {
  x: number;
  y: number;
}

/** Roles of what people act on: who clicks on the icon within a button means the button. */
const acted = [
  'button',
  'link',
  'textbox',
  'searchbox',
  'checkbox',
  'radio',
  'combobox',
  'listbox',
  'option',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'tab',
  'switch',
  'slider',
  'spinbutton',
];

/** Roles whose name is the text within them. Fields are named by labels, which a screenshot does not tell. */
const namedByContent = ['button', 'link', 'option', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'heading', 'img'];

/** As many characters of a text tell an element from others. */
const longest = 60;

const area = ({ box }: Element) => box.width * box.height;

const covers = ({ box }: Element, { x, y }: Point) => x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;

const holds = ({ box: outer }: Element, { box: inner }: Element) =>
  inner.x >= outer.x - 1 &&
  inner.y >= outer.y - 1 &&
  inner.x + inner.width <= outer.x + outer.width + 1 &&
  inner.y + inner.height <= outer.y + outer.height + 1;

/** Whether people act on the element. */
export function isActedOn({ role }: Element): boolean {
  return role !== null && acted.includes(role);
}

/** The elements at a place, the smallest first. */
export function elementsAt(elements: readonly Element[], point: Point): Element[] {
  return elements.filter((element) => covers(element, point)).toSorted((a, b) => area(a) - area(b) || b.number - a.number);
}

/** What somebody means who clicks there: what can be acted on, or else the smallest element with a text, or else the smallest one. */
export function meantAt(elements: readonly Element[], point: Point): Element | undefined {
  const there = elementsAt(elements, point);
  return there.find(isActedOn) ?? there.find(({ text }) => text !== null) ?? there[0];
}

/** What the elements of a screenshot say, read once: there are thousands, and each is compared with others. */
export interface Reading {
  words: ReadonlyMap<Element, string>;
  /** By their words in lower case. */
  alike: ReadonlyMap<string, readonly Element[]>;
}

/** Reads the words of all elements: their own and those of what is within them, which follows them in the document. */
export function read(elements: readonly Element[]): Reading {
  const words = new Map<Element, string>();
  const alike = new Map<string, Element[]>();
  elements.forEach((element, index) => {
    const parts = [element.text ?? ''];
    for (let i = index + 1; i < elements.length; i += 1) {
      const each = elements[i];
      if (each === undefined || !holds(element, each)) {
        break;
      }
      parts.push(each.text ?? '');
    }
    const text = parts.join(' ').replaceAll(/\s+/g, ' ').trim();
    words.set(element, text);
    const others = alike.get(text.toLowerCase());
    if (others === undefined) {
      alike.set(text.toLowerCase(), [element]);
    } else {
      others.push(element);
    }
  });
  return { words, alike };
}

/** The beginning of a text, up to the end of a word: a name that only begins so is found too. */
function shortened(text: string): string {
  if (text.length <= longest) {
    return text;
  }
  const cut = text.slice(0, longest + 1);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), longest / 2));
}

/**
 * Ways to find an element, the best first: by role and name, or by its text, if no other element has the same; by its CSS selector, in the
 * document or shadow tree that it is in.
 */
export function targetsOf(element: Element, reading: Reading): Target[] {
  const words = reading.words.get(element) ?? '';
  const named = element.role !== null && namedByContent.includes(element.role);
  const own = element.text?.trim() ?? '';
  const targets: Target[] = [];
  if (named && words !== '' && alone(element, words, reading, ({ role }) => role === element.role)) {
    targets.push({ ...newTarget, way: 'role', role: element.role ?? '', words: shortened(words) });
  } else if (!isActedOn(element) && own !== '' && own === words && alone(element, words, reading, () => true)) {
    targets.push({ ...newTarget, way: 'text', role: '', words: shortened(own) });
  }
  const css = element.selector.split(' >>> ').at(-1) ?? '';
  if (css !== '') {
    targets.push({ ...newTarget, way: 'css', role: '', words: css });
  }
  return targets;
}

/** Whether no other element of its kind has the same words. What is around the element has them too, and is another kind of thing. */
function alone(element: Element, words: string, { alike }: Reading, kind: (other: Element) => boolean): boolean {
  const others = alike.get(words.toLowerCase()) ?? [];
  return !others.some((other) => other !== element && kind(other) && !holds(other, element) && !holds(element, other));
}
