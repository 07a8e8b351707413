import { type ReactNode, type Ref, useCallback, useImperativeHandle, useRef, useState } from 'react';

import { ChangeList } from './ChangeList';
import { english } from './english';
import { type ViewerCommands, useKeys } from './keys';
import type { ViewerMessages } from './messages';
import { MiniMap } from './MiniMap';
import { Stage } from './Stage';
import { type DeviceChoice, Toolbar } from './Toolbar';
import type { Change, Comparison } from './types';
import { type ViewerControl, startsNarrow, useFailures, useViewer } from './useViewer';
import css from './Viewer.module.css';

export interface ViewerProps extends ViewerControl {
  readonly comparison: Comparison;
  readonly messages?: ViewerMessages | undefined;
  /** Desktop or mobile, where there are both. */
  readonly device?: DeviceChoice | undefined;
  /** More controls at the end of the toolbar. */
  readonly toolbar?: ReactNode;
  /** What can be done about the selected change. */
  readonly renderActions?: ((change: Change) => ReactNode) | undefined;
  /** Where keys are listened to: on the whole page, where the viewer is the main thing, or only within the viewer. */
  readonly keys?: 'page' | 'viewer' | 'off' | undefined;
  readonly ref?: Ref<ViewerCommands> | undefined;
}

/**
 * Shows two pictures of a page and what changed between them. It fills the height of its parent. It knows nothing of where
 * the data comes from, and says nothing that is not in the messages or the data. Give it another key for another
 * comparison.
 */
export function Viewer({ comparison, messages = english, device, toolbar, renderActions, keys = 'page', ref, ...control }: ViewerProps) {
  const root = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [narrow] = useState(() => startsNarrow(root));
  const [open, setOpen] = useState(false);
  const v = useViewer(comparison, control, narrow);
  const { failed, attempts, onFail, retry } = useFailures();
  useKeys(root, keys, v.commands);
  useImperativeHandle(ref, () => v.commands);
  const { setZoom } = v;
  const onZoom = useCallback((zoom: Parameters<typeof setZoom>[0]) => setZoom(zoom), [setZoom]);
  const select = (id: string) => {
    v.select(id);
    setOpen(false);
  };
  const current = v.listed.find((change) => change.id === v.selected);
  return (
    <section ref={root} className={css.viewer} aria-label={messages.viewer}>
      <Toolbar {...v} extra={toolbar} device={device} messages={messages} onOpacity={v.setOpacity} onPlaying={v.setPlaying} />
      <div className={css.body}>
        <ChangeList
          notes={comparison.notes ?? []}
          all={v.all}
          listed={v.listed}
          selected={v.selected}
          filter={v.filter}
          open={open}
          messages={messages}
          onFilter={v.setFilter}
          onSelect={select}
          onNext={v.commands.next}
          onPrevious={v.commands.previous}
          onOpen={setOpen}
          renderActions={renderActions}
        />
        <div className={css.main}>
          <Captions comparison={comparison} messages={messages} beside={v.mode === 'sides'} shown={v.mode === 'blink' ? v.shown : null} />
          {failed.size > 0 && (
            <p role="alert" className={css.alert}>
              {messages.failed(failed.size)}
              <button type="button" className={css.retry} onClick={retry}>
                {messages.retry}
              </button>
            </p>
          )}
          {v.mode === 'difference' && v.both && comparison.mask === null && comparison.changes.length > 0 && (
            <p className={css.hint}>{messages.noMask}</p>
          )}
          <div className={css.stage}>
            <Stage
              {...v}
              scroller={scroller}
              comparison={comparison}
              onZoom={onZoom}
              onScale={v.setScale}
              changes={v.listed}
              messages={messages}
              attempts={attempts}
              failed={failed}
              onFail={onFail}
              onSelect={select}
            />
            <MiniMap scroller={scroller} canvas={v.canvas} changes={v.listed} selected={v.selected} />
          </div>
        </div>
      </div>
      <p role="status" className={css.hidden}>
        {current &&
          messages.reached({
            number: v.listed.indexOf(current) + 1,
            count: v.listed.length,
            verdict: current.verdict ? messages.verdicts[current.verdict] : null,
            title: current.title,
          })}
      </p>
    </section>
  );
}

interface CaptionsProps {
  readonly comparison: Comparison;
  readonly messages: ViewerMessages;
  readonly beside: boolean;
  readonly shown: 'before' | 'after' | null;
}

/** What the pictures are. They do not scroll away. */
function Captions({ comparison, messages, beside, shown }: CaptionsProps) {
  const taken = { before: comparison.takenBefore, after: comparison.takenAfter };
  return (
    <div className={css.captions} data-beside={(beside && comparison.before !== null && comparison.after !== null) || undefined}>
      {(['before', 'after'] as const).map((side) => (
        <p key={side} className={css.caption} data-side={side} data-dim={(shown !== null && shown !== side) || undefined}>
          {comparison[side] === null ? (
            messages.missing[side]
          ) : (
            <>
              <b>{messages.sides[side]}</b> <span className={css.taken}>{taken[side]}</span>
            </>
          )}
        </p>
      ))}
    </div>
  );
}
