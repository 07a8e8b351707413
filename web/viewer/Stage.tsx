import { type CSSProperties, type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

import { type Canvas, fromCanvas, toCanvas } from './alignment';
import { useDragToPan, useZoomGestures } from './gestures';
import { Handle } from './Handle';
import { useCalm, useClientSize, useLatest, useListener } from './hooks';
import { Layer, type Rows } from './Layer';
import { Bands, Boxes } from './Marks';
import type { ViewerMessages } from './messages';
import type { PlacedChange } from './order';
import { windowAround } from './pieces';
import css from './Stage.module.css';
import type { Comparison, Mode, Side, ViewerPicture } from './types';
import { type Zoom, scaleOf, scrollAfter, scrollTo } from './zoom';

export interface StageProps {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly canvas: Canvas;
  readonly comparison: Comparison;
  readonly mode: Mode;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom, scale: number) => void;
  readonly onScale: (scale: number) => void;
  /** The changes that are listed; none are marked with marks off. */
  readonly changes: readonly PlacedChange[];
  readonly selected: string | null;
  /** Counts up with each wish to see the selected change. */
  readonly wish: number;
  readonly marks: boolean;
  readonly opacity: number;
  /** Which picture Blink shows. */
  readonly shown: Side;
  readonly messages: ViewerMessages;
  readonly attempts: ReadonlyMap<string, number>;
  readonly failed: ReadonlySet<string>;
  readonly onFail: (address: string) => void;
  readonly onSelect: (id: string) => void;
}

/** The space between both pictures side by side. */
const gutter = 12;

/** The pictures. They scroll together, because they are in one element that scrolls. */
export function Stage(props: StageProps) {
  const { scroller, canvas, comparison, mode, zoom, onZoom, onScale, messages } = props;
  const view = useClientSize(scroller);
  const { before, after } = comparison;
  const beside = mode === 'sides' && before !== null && after !== null;
  const paneWidth = beside ? (view.width - gutter) / 2 : view.width;
  const scale = scaleOf(zoom, canvas.width, paneWidth);
  const rows = useRows(scroller, scale, view.height);
  const anchor = useRef<{ x: number; y: number } | null>(null);
  useEffect(() => onScale(scale), [onScale, scale]);
  usePan(scroller);
  useSteadyScroll(scroller, canvas, scale, anchor);
  useDragToPan(scroller);
  useZoomGestures(scroller, scale, (next, at) => {
    anchor.current = at;
    onZoom(next, next);
  });
  useShowSelected(props, scale, beside, paneWidth);

  const size = { width: canvas.width * scale, height: canvas.rows * scale };
  const extra = Math.max(size.width - paneWidth, 0);
  const content = { height: Math.max(size.height, 1), width: view.width + extra };
  const pane = { ...props, scale, rows, paneWidth, size, viewHeight: view.height };
  return (
    <div ref={scroller} className={css.scroller} tabIndex={0} role="group" aria-label={messages.viewer} data-mode={mode}>
      <div className={css.content} style={content}>
        {beside ? (
          <>
            <SidePane {...pane} side="before" picture={before} left={0} />
            <SidePane {...pane} side="after" picture={after} left={paneWidth + gutter} />
          </>
        ) : (
          <StackPane {...pane} />
        )}
      </div>
    </div>
  );
}

interface PaneProps extends StageProps {
  readonly scale: number;
  readonly rows: Rows;
  readonly paneWidth: number;
  readonly viewHeight: number;
  readonly size: { readonly width: number; readonly height: number };
}

/** One picture beside the other. */
function SidePane(props: PaneProps & { side: Side; picture: ViewerPicture; left: number }) {
  const { side, picture, left, canvas, rows, scale, messages, paneWidth, size } = props;
  return (
    <div className={css.pane} data-side={side} style={{ left, width: paneWidth, '--sheet': `${size.width}px` } as CSSProperties}>
      <div className={css.sheet} style={size}>
        <Layer {...props} side={side} picture={picture} label={messages.picture[side]} failedHere={messages.failedHere} />
        <Bands canvas={canvas} side={side} rows={rows} scale={scale} messages={messages} />
        {props.marks && <Boxes {...props} side={side} />}
      </div>
    </div>
  );
}

/** Both pictures over each other: slider, overlay, blink and difference, or the only picture there is. */
function StackPane(props: PaneProps) {
  const { comparison, mode, canvas, rows, scale, messages, paneWidth, size } = props;
  const pane = useRef<HTMLDivElement>(null);
  const { before, after, mask } = comparison;
  const both = before !== null && after !== null;
  const difference = mode === 'difference' && both;
  const vars = {
    left: 0,
    width: paneWidth,
    '--sheet': `${size.width}px`,
    '--opacity': both ? props.opacity : 1,
  } as CSSProperties;
  const maskCanvas = useMemo(() => canvasOfMask(canvas, mask), [canvas, mask]);
  return (
    <div
      ref={pane}
      className={css.pane}
      data-side="both"
      data-mode={both ? mode : 'single'}
      data-shown={props.shown}
      data-blend={(difference && mask === null) || undefined}
      style={vars}
    >
      {mode === 'slider' && both && (
        <div className={css.rail} style={{ height: props.viewHeight }}>
          <Handle pane={pane} messages={messages} />
        </div>
      )}
      {(['before', 'after'] as const).map((side) => {
        const picture = comparison[side];
        return (
          picture && (
            <div key={side} className={css.cover} data-cover={side}>
              <div className={css.sheet} style={size}>
                <Layer {...props} side={side} picture={picture} label={messages.picture[side]} failedHere={messages.failedHere} />
                {props.marks && !difference && <Boxes {...props} side={side} />}
              </div>
            </div>
          )
        );
      })}
      <div className={css.over}>
        <div className={css.sheet} style={size}>
          {difference && mask && (
            <>
              <div className={css.veil} />
              <Layer
                {...props}
                canvas={maskCanvas}
                side="after"
                picture={mask}
                label={messages.differences}
                failedHere={messages.failedHere}
              />
            </>
          )}
          <Bands canvas={canvas} side={null} rows={rows} scale={scale} messages={messages} />
          {props.marks && difference && <Boxes {...props} side="after" />}
        </div>
      </div>
    </div>
  );
}

/** A mask has the rows of the picture after. Where nothing is aligned it also has those that only the page before has. */
function canvasOfMask(canvas: Canvas, mask: ViewerPicture | null): Canvas {
  const aligned = canvas.segments.some(
    (segment) => segment.beforeKind !== 'same' && segment.after === null && segment !== canvas.segments.at(-1),
  );
  if (!mask || aligned || mask.height !== canvas.rows) {
    return canvas;
  }
  return {
    ...canvas,
    segments: [{ top: 0, rows: canvas.rows, before: 0, after: 0, beforeKind: 'same', afterKind: 'same' }],
  };
}

/** The rows to mount: those in view and some around them. */
function useRows(scroller: RefObject<HTMLDivElement | null>, scale: number, height: number): Rows {
  const [rows, setRows] = useState<Rows>({ from: 0, to: 0 });
  const update = useCallback(() => {
    const element = scroller.current;
    if (element) {
      const next = windowAround(element.scrollTop / scale, Math.max(height, 1) / scale);
      // oxlint-disable-next-line react/set-state-in-effect -- what is in view can be measured only once it is there
      setRows((old) => (old.from === next.from && old.to === next.to ? old : next));
    }
  }, [scroller, scale, height]);
  useLayoutEffect(update, [update]);
  useListener(scroller, 'scroll', update, true);
  return rows;
}

/** Tells the panes how far they are panned: they stay in place while their content moves. */
function usePan(scroller: RefObject<HTMLDivElement | null>): void {
  useListener(
    scroller,
    'scroll',
    () => {
      const element = scroller.current;
      element?.style.setProperty('--pan', `${-element.scrollLeft}px`);
    },
    true,
  );
}

/** Keeps what one looks at in place when the scale or the alignment changes. */
function useSteadyScroll(
  scroller: RefObject<HTMLDivElement | null>,
  canvas: Canvas,
  scale: number,
  anchor: RefObject<{ x: number; y: number } | null>,
): void {
  const last = useRef({ canvas, scale });
  useLayoutEffect(() => {
    const element = scroller.current;
    const old = last.current;
    last.current = { canvas, scale };
    if (!element || (old.canvas === canvas && old.scale === scale)) {
      return;
    }
    const at = anchor.current ?? { x: element.clientWidth / 2, y: Math.min(element.scrollTop, element.clientHeight / 2) };
    anchor.current = null;
    if (old.canvas !== canvas) {
      const y = Math.floor((element.scrollTop + at.y) / old.scale);
      const row = fromCanvas(old.canvas, 'after', y) ?? fromCanvas(old.canvas, 'before', y);
      const side = fromCanvas(old.canvas, 'after', y) === null ? 'before' : 'after';
      element.scrollTop = row === null ? element.scrollTop : toCanvas(canvas, side, row) * scale - at.y;
      return;
    }
    element.scrollTop = scrollAfter(element.scrollTop, at.y, old.scale, scale);
    element.scrollLeft = scrollAfter(element.scrollLeft, at.x, old.scale, scale);
  }, [scroller, canvas, scale, anchor]);
}

/** Scrolls to the selected change when somebody wishes to see it. */
function useShowSelected(props: StageProps, scale: number, beside: boolean, paneWidth: number): void {
  const { scroller, changes, selected, wish, canvas } = props;
  const calm = useCalm();
  const show = useLatest(() => {
    const element = scroller.current;
    const place = changes.find((change) => change.id === selected)?.place;
    if (!element || !place || element.clientHeight === 0) {
      return;
    }
    const top = scrollTo({ start: place.y * scale, size: place.height * scale }, element.clientHeight);
    const width = beside ? paneWidth : element.clientWidth;
    const left = canvas.width * scale > width ? scrollTo({ start: place.x * scale, size: place.width * scale }, width) : 0;
    element.scrollTo({ top, left, behavior: calm ? 'instant' : 'smooth' });
  });
  useEffect(() => {
    if (wish > 0) {
      show();
    }
  }, [wish, show]);
}
