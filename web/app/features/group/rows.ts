// The rows of the list of URLs by keys: the row in which something has the focus is the current one.

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-url]')];
const isIn = (row: HTMLElement) => row.contains(document.activeElement);

/** Goes some rows down; to the first one in sight if no row is current. */
export function focusRow(step: number): void {
  const all = rows();
  const at = all.findIndex(isIn);
  const seen = all.findIndex((row) => row.getBoundingClientRect().top >= 0);
  const next = all[at < 0 ? seen : Math.min(Math.max(at + step, 0), all.length - 1)];
  next?.querySelector<HTMLElement>('input, button')?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Presses a control of the current row. */
export function pressInRow(control: 'choose' | 'settings'): void {
  rows().find(isIn)?.querySelector<HTMLElement>(`[data-key="${control}"]`)?.click();
}

/** The URLs of the rows from one to another, whichever comes first; only the second one if the first is not drawn. */
export function urlsBetween(one: string, other: string): string[] {
  const urls = rows().map((row) => row.dataset['url'] ?? '');
  const [from, to] = [urls.indexOf(one), urls.indexOf(other)];
  return from < 0 || to < 0 ? [other] : urls.slice(Math.min(from, to), Math.max(from, to) + 1);
}
