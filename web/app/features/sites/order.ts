import type { Site } from './query';

export const orders = ['needs', 'name', 'lastRun', 'nextRun'] as const;
export type Order = (typeof orders)[number];

/** The sites whose name has the text, in the order that was asked for. */
export function arrange(sites: readonly Site[], text: string, order: Order): Site[] {
  const wanted = text.toLowerCase();
  const found = sites.filter((site) => site.name.toLowerCase().includes(wanted));
  return order === 'needs' ? found : found.toSorted(comparisons[order]);
}

const byName = (a: Site, b: Site) => a.name.localeCompare(b.name);

// Times are RFC 3339 in UTC: their texts sort like the times. What has none comes last.
const comparisons: Record<Exclude<Order, 'needs'>, (a: Site, b: Site) => number> = {
  name: byName,
  lastRun: (a, b) => (b.lastBatch?.createdAt ?? '').localeCompare(a.lastBatch?.createdAt ?? '') || byName(a, b),
  nextRun: (a, b) => (a.nextRuns[0] ?? '~').localeCompare(b.nextRuns[0] ?? '~') || byName(a, b),
};
