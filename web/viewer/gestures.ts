import { type RefObject, useRef } from 'react';

import { useListener } from './hooks';
import { clampScale, wheelScale } from './zoom';

interface Point {
  readonly x: number;
  readonly y: number;
}

type ZoomTo = (scale: number, at: Point) => void;

/** Zooms with the wheel and Ctrl, which is also what two fingers on a touchpad send, and with two fingers on a screen. */
export function useZoomGestures(ref: RefObject<HTMLElement | null>, scale: number, zoomTo: ZoomTo): void {
  const pinch = useRef<{ distance: number; scale: number } | null>(null);
  const within = (x: number, y: number): Point => {
    const box = ref.current?.getBoundingClientRect();
    return { x: x - (box?.left ?? 0), y: y - (box?.top ?? 0) };
  };
  useListener(
    ref,
    'wheel',
    (event) => {
      if (event.ctrlKey) {
        event.preventDefault();
        zoomTo(wheelScale(scale, event.deltaY), within(event.clientX, event.clientY));
      }
    },
    false,
  );
  useListener(
    ref,
    'touchstart',
    (event) => {
      const [a, b] = event.touches;
      pinch.current = event.touches.length === 2 && a && b ? { distance: distance(a, b), scale } : null;
    },
    true,
  );
  useListener(
    ref,
    'touchmove',
    (event) => {
      const [a, b] = event.touches;
      if (pinch.current && a && b) {
        event.preventDefault();
        zoomTo(
          clampScale((pinch.current.scale * distance(a, b)) / pinch.current.distance),
          within((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2),
        );
      }
    },
    false,
  );
  const end = () => {
    pinch.current = null;
  };
  useListener(ref, 'touchend', end, true);
  useListener(ref, 'touchcancel', end, true);
}

const distance = (a: Touch, b: Touch) => Math.max(Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), 1);

/** Drags the content with the mouse, as fingers do anyway. Elements with data-nodrag keep their own meaning. */
export function useDragToPan(ref: RefObject<HTMLElement | null>): void {
  const last = useRef<Point | null>(null);
  useListener(
    ref,
    'pointerdown',
    (event) => {
      const target = event.target as Element;
      if (event.pointerType === 'mouse' && event.button === 0 && !target.closest('[data-nodrag]') && isInside(ref.current, event)) {
        last.current = { x: event.clientX, y: event.clientY };
      }
    },
    true,
  );
  useListener(
    ref,
    'pointermove',
    (event) => {
      const element = ref.current;
      if (element && last.current && event.buttons === 1) {
        element.scrollBy(last.current.x - event.clientX, last.current.y - event.clientY);
        last.current = { x: event.clientX, y: event.clientY };
      } else {
        last.current = null;
      }
    },
    true,
  );
}

/** Whether a pointer is over the content, not over a scroll bar. */
function isInside(element: HTMLElement | null, event: PointerEvent): boolean {
  const box = element?.getBoundingClientRect();
  return (
    element != null && box !== undefined && event.clientX - box.left < element.clientWidth && event.clientY - box.top < element.clientHeight
  );
}
