// By what a step finds its element, as the API writes it on one line: `role=button[name="Buy"] || css=#buy >> nth=2`.

/** The ways to find an element. */
export const ways = ['role', 'text', 'label', 'placeholder', 'testid', 'css'] as const;
export type Way = (typeof ways)[number];

/** One way to find the element of a step. */
export interface Target {
  way: Way;
  /** Of `role`: the role, such as button. */
  role: string;
  /** The words, the test id or the CSS selector; of `role`, the accessible name. */
  words: string;
  /** Which of several it is, from 1; empty if there must be only one. */
  nth: string;
  /** Whether the words must be exactly these. */
  exact: boolean;
}

export const newTarget: Target = { way: 'role', role: 'button', words: '', nth: '', exact: false };

const rolePattern = /^([a-z]+)(?:\[name="((?:[^"\\]|\\.)*)"\])?$/;

/** The alternatives of a selector. */
export function parseSelector(selector: string | null): Target[] {
  return selector === null || selector.trim() === '' ? [] : selector.split(' || ').map((text) => parseTarget(text.trim()));
}

function parseTarget(text: string): Target {
  const [first = '', ...suffixes] = text.split(' >> ');
  const tail: string[] = [];
  // Only what follows last can be a number or exact: CSS may contain >> nowhere, but words may.
  while (suffixes.length > 0 && /^(exact|nth=[1-9]\d*)$/.test(suffixes.at(-1) ?? '')) {
    tail.push(suffixes.pop() ?? '');
  }
  const rest = [first, ...suffixes].join(' >> ');
  const found = {
    nth: tail.find((suffix) => suffix.startsWith('nth='))?.slice('nth='.length) ?? '',
    exact: tail.includes('exact'),
    role: '',
  };
  const [kind = '', ...words] = rest.split('=');
  const given = words.join('=').trim();
  if (kind === 'role') {
    const parts = rolePattern.exec(given);
    if (parts !== null) {
      return { ...found, way: 'role', role: parts[1] ?? '', words: (parts[2] ?? '').replaceAll(/\\(["\\])/g, '$1') };
    }
  }
  const way = ways.find((each) => each === kind);
  return way === undefined || way === 'role' ? { ...found, way: 'css', words: rest } : { ...found, way, words: given };
}

/** The selector of alternatives; null for none. Empty ones are left out. */
export function formatSelector(targets: readonly Target[]): string | null {
  const texts = targets.filter((target) => target.words.trim() !== '' || (target.way === 'role' && target.role !== '')).map(formatTarget);
  return texts.length === 0 ? null : texts.join(' || ');
}

function formatTarget({ way, role, words, nth, exact }: Target): string {
  const text = words.trim();
  const name = text === '' ? '' : `[name="${text.replaceAll(/(["\\])/g, String.raw`\$1`)}"]`;
  // A selector that contains = before any bracket would be read as another way.
  const plain = way === 'css' && !(text.split('[')[0] ?? '').includes('=');
  const found = way === 'role' ? `role=${role.trim()}${name}` : plain ? text : `${way}=${text}`;
  return `${found}${nth.trim() === '' ? '' : ` >> nth=${nth.trim()}`}${exact ? ' >> exact' : ''}`;
}
