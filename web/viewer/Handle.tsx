import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';

import type { ViewerMessages } from './messages';
import css from './Stage.module.css';

interface HandleProps {
  /** The element whose --split is the position of the edge. */
  readonly pane: RefObject<HTMLElement | null>;
  readonly messages: ViewerMessages;
}

/** The handle of the slider: the page before is on its left, the page after on its right. */
export function Handle({ pane, messages }: HandleProps) {
  const [percent, setPercent] = useState(50);
  const grip = useRef<HTMLDivElement>(null);
  const move = (to: number) => {
    const next = Math.min(Math.max(to, 0), 100);
    pane.current?.style.setProperty('--split', `${next}%`);
    setPercent(next);
  };
  const follow = (event: PointerEvent) => {
    const box = pane.current?.getBoundingClientRect();
    if (box && grip.current?.hasPointerCapture(event.pointerId)) {
      move(((event.clientX - box.left) / box.width) * 100);
    }
  };
  const press = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 10 : 1;
    const to = { ArrowLeft: percent - step, ArrowRight: percent + step, Home: 0, End: 100 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    }
  };
  const rounded = Math.round(percent);
  return (
    <div
      ref={grip}
      role="slider"
      tabIndex={0}
      data-nodrag
      aria-label={messages.handle}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={rounded}
      aria-valuetext={messages.handleValue(rounded)}
      aria-orientation="horizontal"
      className={css.handle}
      style={{ left: `${percent}%` }}
      onKeyDown={press}
      onPointerDown={(event) => {
        grip.current?.setPointerCapture(event.pointerId);
        event.preventDefault();
        grip.current?.focus();
      }}
      onPointerMove={follow}
    >
      <span className={css.grip} />
    </div>
  );
}
