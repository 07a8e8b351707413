import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';

import type { Canvas } from './alignment';
import type { PlacedChange } from './order';
import css from './MiniMap.module.css';

interface MiniMapProps {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly canvas: Canvas;
  readonly changes: readonly PlacedChange[];
  readonly selected: string | null;
}

/** Where the changes are on a tall page, and which part one sees. It repeats the list, so only pointers reach it. */
export function MiniMap({ scroller, canvas, changes, selected }: MiniMapProps) {
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = scroller.current;
    if (!element) {
      return undefined;
    }
    const follow = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      view.current?.style.setProperty('top', `${(scrollTop / scrollHeight) * 100}%`);
      view.current?.style.setProperty('height', `${(clientHeight / scrollHeight) * 100}%`);
    };
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    if (element.firstElementChild) {
      observer.observe(element.firstElementChild);
    }
    element.addEventListener('scroll', follow, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', follow);
    };
  }, [scroller]);
  const jump = (event: PointerEvent<HTMLDivElement>) => {
    const element = scroller.current;
    if (element && event.buttons === 1) {
      event.currentTarget.setPointerCapture(event.pointerId);
      const box = event.currentTarget.getBoundingClientRect();
      const part = (event.clientY - box.top) / box.height;
      element.scrollTop = part * element.scrollHeight - element.clientHeight / 2;
    }
  };
  const share = (rows: number) => `${(rows / Math.max(canvas.rows, 1)) * 100}%`;
  return (
    <div className={css.map} aria-hidden="true" onPointerDown={jump} onPointerMove={jump}>
      {canvas.segments.map((segment) => {
        const kind = segment.afterKind === 'same' ? segment.beforeKind : segment.afterKind;
        return kind === 'same' ? null : (
          <i key={segment.top} className={css.band} data-kind={kind} style={{ top: share(segment.top), height: share(segment.rows) }} />
        );
      })}
      {changes.map(
        (change) =>
          change.place && (
            <i
              key={change.id}
              className={css.mark}
              data-verdict={change.verdict ?? 'none'}
              data-selected={change.id === selected || undefined}
              style={{ top: share(change.place.y), height: share(change.place.height) }}
            />
          ),
      )}
      <div ref={view} className={css.view} />
    </div>
  );
}
