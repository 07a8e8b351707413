import type { AiCategory } from '../../api/generated/graphql';
import type { RunChange } from './query';

const gravity: Record<AiCategory, number> = { ALERT: 0, NOT_SURE: 1, ALL_GOOD: 2 };

/** What is open comes first, then what is gravest, then what most pages show, then what takes most of a page. */
export function inReviewOrder(changes: readonly RunChange[]): RunChange[] {
  return changes.toSorted(
    (a, b) =>
      Number(a.openCount === 0) - Number(b.openCount === 0) ||
      gravity[a.category] - gravity[b.category] ||
      b.comparisonsCount - a.comparisonsCount ||
      areaOf(b) - areaOf(a),
  );
}

function areaOf({ example }: RunChange): number {
  const boxes = [example?.finding?.boxBefore, example?.finding?.boxAfter];
  return Math.max(...boxes.map((box) => (box ? box.w * box.h : 0)));
}
