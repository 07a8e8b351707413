import type { AiCategory } from '../../api/generated/graphql';
import type { RunChange } from './query';

const gravity: Record<AiCategory, number> = { ALERT: 0, NOT_SURE: 1, ALL_GOOD: 2 };

/** What is open comes first, then what is gravest, then what most pages show. */
export function inReviewOrder(changes: readonly RunChange[]): RunChange[] {
  return changes.toSorted(
    (a, b) =>
      Number(a.openCount === 0) - Number(b.openCount === 0) ||
      gravity[a.category] - gravity[b.category] ||
      b.comparisonsCount - a.comparisonsCount,
  );
}
