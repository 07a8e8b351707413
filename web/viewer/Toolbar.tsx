import {
  AlignVerticalSpaceAround,
  Blend,
  Columns2,
  Contrast,
  Eye,
  EyeOff,
  Minus,
  Pause,
  Play,
  Plus,
  SquareSplitHorizontal,
  SwitchCamera,
  ToggleLeft,
} from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';

import type { ViewerCommands } from './keys';
import type { ViewerMessages } from './messages';
import css from './Toolbar.module.css';
import { type Mode, modes } from './types';
import type { Zoom } from './zoom';

/** A choice between the same page on several devices. */
export interface DeviceChoice {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Called with another value than the present one. */
  readonly onChange: (value: string) => void;
}

interface ToolbarProps {
  readonly mode: Mode;
  readonly both: boolean;
  readonly shifted: boolean;
  readonly aligned: boolean;
  readonly marks: boolean;
  readonly zoom: Zoom;
  readonly scale: number;
  readonly opacity: number;
  readonly playing: boolean;
  readonly device?: DeviceChoice | undefined;
  readonly extra?: ReactNode;
  readonly messages: ViewerMessages;
  readonly commands: ViewerCommands;
  readonly onOpacity: (opacity: number) => void;
  readonly onPlaying: (playing: boolean) => void;
}

const icons = {
  sides: Columns2,
  slider: SquareSplitHorizontal,
  overlay: Blend,
  blink: ToggleLeft,
  difference: Contrast,
} as const;

/** How the comparison is shown. It stays where it is while the pictures scroll. */
export function Toolbar(props: ToolbarProps) {
  const { both, shifted, aligned, marks, zoom, scale, messages, commands, device, extra } = props;
  return (
    <div role="group" aria-label={messages.toolbar} className={css.bar}>
      {both && <ModeChoice {...props} />}
      <ModeControls {...props} />
      {both && shifted && (
        <button
          type="button"
          className={css.toggle}
          aria-pressed={aligned}
          onClick={commands.toggleAligned}
          title={`${messages.alignHint} (A)`}
        >
          <AlignVerticalSpaceAround aria-hidden="true" />
          <span className={css.label}>{messages.align}</span>
        </button>
      )}
      <button type="button" className={css.toggle} aria-pressed={marks} onClick={commands.toggleMarks} title={`${messages.marks} (X)`}>
        {marks ? <Eye aria-hidden="true" /> : <EyeOff aria-hidden="true" />}
        <span className={css.label}>{messages.marks}</span>
      </button>
      <span className={css.space} />
      <div className={css.zoom}>
        <button
          type="button"
          className={css.icon}
          onClick={commands.zoomOut}
          aria-label={messages.zoomOut}
          title={`${messages.zoomOut} (−)`}
        >
          <Minus aria-hidden="true" />
        </button>
        <button
          type="button"
          className={css.scale}
          onClick={zoom === 'fit' ? commands.zoomFull : commands.zoomFit}
          title={zoom === 'fit' ? `${messages.zoomFull} (Z)` : `${messages.zoomFit} (0)`}
        >
          {messages.zoomValue(Math.round(scale * 100))}
          <span className={css.hidden}>. {zoom === 'fit' ? messages.zoomFull : messages.zoomFit}</span>
        </button>
        <button type="button" className={css.icon} onClick={commands.zoomIn} aria-label={messages.zoomIn} title={`${messages.zoomIn} (+)`}>
          <Plus aria-hidden="true" />
        </button>
      </div>
      {device && (
        <div role="group" aria-label={messages.device} className={css.segments}>
          {device.options.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              className={css.segment}
              aria-pressed={value === device.value}
              onClick={() => value !== device.value && device.onChange(value)}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      {extra}
    </div>
  );
}

/** The views as radio buttons: arrow keys move between them, Tab leaves them. */
function ModeChoice({ mode, messages, commands }: ToolbarProps) {
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = (modes.indexOf(mode) + step + modes.length) % modes.length;
      commands.setMode(modes[next] ?? mode);
      event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus();
    }
  };
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the chosen one of its buttons has the focus
    <div role="radiogroup" aria-label={messages.view} className={css.segments} onKeyDown={press}>
      {modes.map((name, i) => {
        const Icon = icons[name];
        return (
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={name === mode}
            tabIndex={name === mode ? 0 : -1}
            className={css.segment}
            onClick={() => commands.setMode(name)}
            title={`${messages.modes[name]} (${i + 1})`}
          >
            <Icon aria-hidden="true" />
            <span className={css.label}>{messages.modes[name]}</span>
          </button>
        );
      })}
    </div>
  );
}

/** What only some views have. */
function ModeControls({ mode, both, opacity, playing, messages, commands, onOpacity, onPlaying }: ToolbarProps) {
  if (mode === 'overlay' && both) {
    return (
      <input
        type="range"
        className={css.range}
        min={0}
        max={100}
        value={Math.round(opacity * 100)}
        aria-label={messages.opacity}
        title={messages.opacity}
        onChange={(event) => onOpacity(Number(event.target.value) / 100)}
      />
    );
  }
  if (mode === 'blink' && both) {
    return (
      <>
        <button
          type="button"
          className={css.icon}
          onClick={() => onPlaying(!playing)}
          aria-label={playing ? messages.pause : messages.play}
          title={playing ? messages.pause : messages.play}
        >
          {playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
        </button>
        <button
          type="button"
          className={css.icon}
          onClick={commands.showOther}
          aria-label={messages.showOther}
          title={`${messages.showOther} (B)`}
        >
          <SwitchCamera aria-hidden="true" />
        </button>
      </>
    );
  }
  return null;
}
