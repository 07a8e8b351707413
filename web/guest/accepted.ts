/**
 * The changes of a batch that were accepted on this tab: a page that shows several of them is approved when the last one is, and
 * the service has to be told all of them for that.
 */
export class Accepted {
  readonly #key: string;

  constructor(batch: string) {
    this.#key = `afterimage.accepted ${batch}`;
  }

  list(): string[] {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(this.#key) ?? '[]');
      return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : [];
    } catch {
      return [];
    }
  }

  /** The list with one more, which is the last; at most as many as the service takes. */
  with(fingerprint: string): string[] {
    return [...this.list().filter((one) => one !== fingerprint), fingerprint].slice(-100);
  }

  keep(list: readonly string[]): void {
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(list));
    } catch {
      // Then each change counts alone.
    }
  }
}
