import { galleryPicture, type Change, type Comparison as Viewed, type Verdict } from '../../../viewer';
import type { AiCategory, BandKind } from '../../api/generated/graphql';
import { ownPath } from '../../api/image';
import { boxOf, pictureOf } from '../../shell/picture';
import { headline } from '../review/headline';
import type { ShownComparison } from './query';

const verdicts: Record<AiCategory, Verdict> = { ALERT: 'alert', NOT_SURE: 'unsure', ALL_GOOD: 'good' };
const bands = { INSERTED: 'inserted', DELETED: 'deleted', MOVED: 'moved', CHANGED: 'changed' } as const satisfies Record<BandKind, string>;

/** The words for what the server gives no sentence. */
export interface Words {
  region: (number: number) => string;
  takenBefore: string;
  takenAfter: string;
  notes: readonly { tone: 'alert' | 'plain'; text: string }[];
}

/** A comparison as the viewer takes it. Without verification, its changes are the regions of changed pixels. */
export function viewed(comparison: ShownComparison, words: Words): Viewed {
  return {
    before: pictureOf(comparison.before),
    after: pictureOf(comparison.after),
    mask: comparison.maskLink === null ? null : galleryPicture(ownPath(comparison.maskLink), comparison.width, comparison.height),
    bands: comparison.bands.map(({ kind, ...band }) => ({ kind: bands[kind], ...band })),
    changes: changesOf(comparison, words),
    notes: words.notes,
    takenBefore: words.takenBefore,
    takenAfter: words.takenAfter,
  };
}

function changesOf(comparison: ShownComparison, words: Words): Change[] {
  if (comparison.findings !== null) {
    return comparison.findings.map((finding, index) => ({
      // The same change of the same element can occur twice on a page.
      id: `${finding.fingerprint}-${index}`,
      title: headline(finding.description, finding.element?.selector),
      reason: finding.reason,
      verdict: verdicts[finding.category],
      before: boxOf(finding.boxBefore),
      after: boxOf(finding.boxAfter),
    }));
  }
  return comparison.changedRegions.map(({ id, x, y, width, height }) => {
    const box = { x, y, width, height };
    return { id: `region-${id}`, title: words.region(id), before: box, after: box };
  });
}
