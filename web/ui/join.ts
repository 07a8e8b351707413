/** Class names in one string, without those that do not apply. */
export function join(...names: (string | undefined | false)[]): string {
  return names.filter(Boolean).join(' ');
}
