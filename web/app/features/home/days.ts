const shown = 14; // days of the history strip

/** The days that the history strip shows, as the API takes them, in the given zone. */
export function period(now: Date, timeZone: string): { from: string; to: string } {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const day = 24 * 60 * 60 * 1000;
  return { from: format.format(now.getTime() - (shown - 1) * day), to: format.format(now) };
}
