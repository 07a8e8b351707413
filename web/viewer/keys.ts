import { type RefObject, useEffect } from 'react';

import { useLatest } from './hooks';
import { type Mode, modes } from './types';

/** What keys, buttons and the page around the viewer can make it do. */
export interface ViewerCommands {
  readonly next: () => void;
  readonly previous: () => void;
  readonly setMode: (mode: Mode) => void;
  readonly toggleAligned: () => void;
  readonly toggleMarks: () => void;
  readonly showOther: () => void;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly zoomFit: () => void;
  readonly zoomFull: () => void;
}

/** The command of a key; undefined for keys that mean nothing here. */
export function commandOf(key: string, commands: ViewerCommands): (() => void) | undefined {
  const mode = modes[Number(key) - 1];
  if (mode !== undefined) {
    return () => commands.setMode(mode);
  }
  switch (key) {
    case 'n':
      return commands.next;
    case 'p':
      return commands.previous;
    case 'a':
      return commands.toggleAligned;
    case 'x':
      return commands.toggleMarks;
    case 'b':
      return commands.showOther;
    case '+':
    case '=':
      return commands.zoomIn;
    case '-':
      return commands.zoomOut;
    case '0':
      return commands.zoomFit;
    case 'z':
      return commands.zoomFull;
    default:
      return undefined;
  }
}

/** Whether a key is typed into something: then it is no command. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=range]), textarea, select'));
}

/** Obeys keys of the whole page, or only those pressed within the viewer. */
export function useKeys(root: RefObject<HTMLElement | null>, where: 'page' | 'viewer' | 'off', commands: ViewerCommands): void {
  const press = useLatest((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) {
      return;
    }
    const run = commandOf(event.key, commands);
    if (run) {
      event.preventDefault();
      run();
    }
  });
  useEffect(() => {
    const target = where === 'page' ? document : root.current;
    if (where === 'off' || !target) {
      return undefined;
    }
    const listener = (event: Event) => press(event as KeyboardEvent);
    target.addEventListener('keydown', listener);
    return () => target.removeEventListener('keydown', listener);
  }, [root, where, press]);
}
