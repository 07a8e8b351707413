const shown = 30; // days

/** The last thirty days, as the API takes them, in the given zone. */
export function lastDays(now: Date, timeZone: string): { from: string; to: string } {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return { from: format.format(now.getTime() - (shown - 1) * 24 * 60 * 60 * 1000), to: format.format(now) };
}
