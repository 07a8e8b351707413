import { memo } from 'react';

import type { Canvas, Segment } from './alignment';
import type { Rows } from './Layer';
import type { ViewerMessages } from './messages';
import type { PlacedChange } from './order';
import css from './Marks.module.css';
import type { Box, Side } from './types';

interface BoxesProps {
  readonly canvas: Canvas;
  readonly side: Side;
  readonly changes: readonly PlacedChange[];
  readonly selected: string | null;
  readonly rows: Rows;
  readonly scale: number;
  readonly onSelect: (id: string) => void;
}

/** The boxes of changes in one picture. They repeat what the list says, so only pointers reach them. */
export const Boxes = memo(function Boxes({ side, changes, selected, rows, scale, canvas, onSelect }: BoxesProps) {
  const width = canvas.width * scale;
  return (
    <div aria-hidden="true">
      {changes.map((change) => {
        const box = side === 'before' ? change.onBefore : change.onAfter;
        if (!box || box.y + box.height < rows.from || box.y > rows.to) {
          return null;
        }
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- see above
          <div
            key={change.id}
            data-nodrag
            data-verdict={change.verdict ?? 'none'}
            data-selected={change.id === selected || undefined}
            className={css.box}
            style={outline(box, scale, width)}
            title={change.title}
            onClick={() => onSelect(change.id)}
          >
            <span className={css.number} data-inside={box.x * scale < 12 || box.y * scale < 12 || undefined}>
              {change.number}
            </span>
          </div>
        );
      })}
    </div>
  );
});

/** The distance of an outline from what it is around, in CSS pixels. */
const gap = 3;

/** Around the box, but within the page, of which nothing can be seen outside. */
function outline(box: Box, scale: number, width: number) {
  const left = Math.max(box.x * scale - gap, 0);
  const top = Math.max(box.y * scale - gap, 0);
  return {
    left,
    top,
    width: Math.max(Math.min((box.x + box.width) * scale + gap, width) - left, 8),
    height: (box.y + box.height) * scale + gap - top,
  };
}

interface BandsProps {
  readonly canvas: Canvas;
  /** null where both pictures are over each other. */
  readonly side: Side | null;
  readonly rows: Rows;
  readonly scale: number;
  readonly messages: ViewerMessages;
}

/** The rows that only one picture has, and the gaps that stand for them in the other. */
export const Bands = memo(function Bands({ canvas, side, rows, scale, messages }: BandsProps) {
  return (
    <>
      {canvas.segments.map((segment) => {
        const kind = kindOf(segment, side);
        if (kind === null || segment.top + segment.rows < rows.from || segment.top > rows.to) {
          return null;
        }
        const height = segment.rows * scale;
        return (
          <div
            key={segment.top}
            className={css.band}
            data-kind={kind.kind}
            data-gap={kind.gap || undefined}
            style={{ top: segment.top * scale, height, width: canvas.width * scale }}
          >
            {height >= 16 && <span className={css.rows}>{messages.band(kind.kind, segment.rows)}</span>}
          </div>
        );
      })}
    </>
  );
});

/** What happened to the rows of a segment as one side shows it; null if nothing did. */
function kindOf(segment: Segment, side: Side | null): { kind: 'inserted' | 'deleted' | 'moved'; gap: boolean } | null {
  const { before, after, beforeKind, afterKind } = segment;
  const own = side === 'before' ? beforeKind : afterKind;
  if (side !== null && segment[side] !== null) {
    return own === 'same' ? null : { kind: own, gap: false };
  }
  const kind = before === null ? afterKind : beforeKind;
  return kind === 'same' || (side === null && before !== null && after !== null) ? null : { kind, gap: side !== null };
}
