import type { useFormatter } from 'use-intl';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A size in the unit in which it has one to three digits before the point. */
export function inUnits(bytes: number, format: Pick<ReturnType<typeof useFormatter>, 'number'>): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return format.number(bytes / 1000 ** step, { style: 'unit', unit: units[step] ?? 'byte', maximumSignificantDigits: 3 });
}
