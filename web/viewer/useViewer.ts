import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react';

import { align, inPlace, isShifted } from './alignment';
import { useCalm, useControlled } from './hooks';
import type { ViewerCommands } from './keys';
import { inReadingOrder } from './order';
import type { Comparison, Mode, Side, Verdict } from './types';
import { type Zoom, stepScale } from './zoom';

/** What a parent may keep of the viewer's state. What it does not give, the viewer keeps. */
export interface ViewerControl {
  readonly mode?: Mode | undefined;
  readonly onModeChange?: ((mode: Mode) => void) | undefined;
  readonly aligned?: boolean | undefined;
  readonly onAlignedChange?: ((aligned: boolean) => void) | undefined;
  readonly zoom?: Zoom | undefined;
  readonly onZoomChange?: ((zoom: Zoom) => void) | undefined;
  /** The id of the selected change. */
  readonly selected?: string | null | undefined;
  readonly onSelect?: ((id: string | null) => void) | undefined;
}

const nothing = { width: 0, height: 0 };

/** How long Blink shows each picture, in milliseconds: less than three changes a second are safe for everybody. */
const blinkTime = 900;

/** The state of a viewer, and what changes it. */
export function useViewer(comparison: Comparison, control: ViewerControl, narrow: boolean) {
  const { before, after, bands, changes } = comparison;
  const both = before !== null && after !== null;
  const shifted = both && isShifted(before, after, bands);
  const [mode, setMode] = useControlled<Mode>(control.mode, narrow ? 'slider' : 'sides', control.onModeChange);
  const [wantsAligned, setAligned] = useControlled(control.aligned, true, control.onAlignedChange);
  const [zoom, setZoom] = useControlled<Zoom>(control.zoom, 'fit', control.onZoomChange);
  const [selected, setSelected] = useControlled<string | null>(control.selected, null, control.onSelect);
  const [wish, setWish] = useState(selected === null ? 0 : 1);
  const [filter, setFilter] = useState<Verdict | null>(null);
  const [marks, setMarks] = useState(true);
  const [opacity, setOpacity] = useState(0.5);
  const [scale, setScale] = useState(1);
  const blink = useBlink(mode === 'blink' && both);
  const aligned = shifted && wantsAligned;

  const canvas = useMemo(
    () => (aligned ? align(before ?? nothing, after ?? nothing, bands) : inPlace(before ?? nothing, after ?? nothing)),
    [aligned, before, after, bands],
  );
  const all = useMemo(() => inReadingOrder(canvas, changes), [canvas, changes]);
  const listed = useMemo(() => (filter === null ? all : all.filter((change) => change.verdict === filter)), [all, filter]);

  const select = useCallback(
    (id: string) => {
      setSelected(id);
      setWish((count) => count + 1);
    },
    [setSelected],
  );
  const step = (by: 1 | -1) => {
    const at = listed.findIndex((change) => change.id === selected);
    const next = at < 0 ? (by > 0 ? 0 : listed.length - 1) : (at + by + listed.length) % listed.length;
    const change = listed[next];
    if (change) {
      select(change.id);
    }
  };
  const commands: ViewerCommands = {
    next: () => step(1),
    previous: () => step(-1),
    setMode,
    toggleAligned: () => setAligned(!wantsAligned),
    toggleMarks: () => setMarks(!marks),
    showOther: blink.showOther,
    zoomIn: () => setZoom(stepScale(scale, 1)),
    zoomOut: () => setZoom(stepScale(scale, -1)),
    zoomFit: () => setZoom('fit'),
    zoomFull: () => setZoom(1),
  };
  return {
    both,
    shifted,
    aligned,
    mode,
    zoom,
    setZoom,
    selected,
    select,
    wish,
    filter,
    setFilter,
    marks,
    opacity,
    setOpacity,
    scale,
    setScale,
    canvas,
    all,
    listed,
    commands,
    ...blink,
  };
}

/** Which picture Blink shows. It starts by itself unless motion is unwanted, and can be paused. */
function useBlink(active: boolean) {
  const calm = useCalm();
  const [shown, setShown] = useState<Side>('after');
  const [paused, setPlaying] = useState<boolean | null>(null);
  const playing = paused === null ? !calm : !paused;
  useEffect(() => {
    if (!active || !playing) {
      return undefined;
    }
    const timer = setInterval(() => setShown(other), blinkTime);
    return () => clearInterval(timer);
  }, [active, playing]);
  return {
    shown,
    playing,
    setPlaying: (play: boolean) => setPlaying(!play),
    showOther: () => {
      setPlaying(true);
      setShown(other);
    },
  };
}

const other = (side: Side): Side => (side === 'before' ? 'after' : 'before');

/** The parts of the pictures that could not be shown. */
export function useFailures() {
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  const [attempts, setAttempts] = useState<ReadonlyMap<string, number>>(new Map());
  const onFail = useCallback((address: string) => setFailed((old) => new Set(old).add(address)), []);
  const retry = () => {
    setAttempts((old) => {
      const next = new Map(old);
      for (const address of failed) {
        next.set(address, (old.get(address) ?? 0) + 1);
      }
      return next;
    });
    setFailed(new Set());
  };
  return { failed, attempts, onFail, retry };
}

/** Whether the viewer is so narrow that two pictures beside each other would be too small. Measured once, before it is drawn. */
export function startsNarrow(root: RefObject<HTMLElement | null>): boolean {
  return (root.current?.clientWidth ?? (typeof innerWidth === 'number' ? innerWidth : 1200)) < 700;
}
