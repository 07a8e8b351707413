import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** Whether a key belongs to what has the focus, such as a text field, and not to the screen. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)) &&
    !(target instanceof HTMLInputElement && ['checkbox', 'radio', 'button'].includes(target.type))
  );
}

/** Whether a dialog or a menu is open, which has the keys for itself. Messages are dialogs to screen readers only. */
function isCovered(): boolean {
  return document.querySelector(':is([role="dialog"], [role="alertdialog"]):not([data-toast]), [role="menu"]') !== null;
}

/**
 * Keys of a screen. Names are those of KeyboardEvent.key, with "Shift+" in front where a letter needs it. A key that does
 * something is not passed on.
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || isCovered()) {
      return;
    }
    const letter = /^[a-zA-Z]$/.test(event.key) ? event.key.toLowerCase() : event.key;
    const run = keys[event.shiftKey && /^[a-z]$/.test(letter) ? `Shift+${letter}` : letter];
    if (run !== undefined) {
      event.preventDefault();
      run();
    }
  });
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

const goPatience = 1_200; // milliseconds between g and the letter

/** Where g and a letter lead. */
export const goKeys = { h: '/', r: '/runs', s: '/sites', t: '/rules', m: '/settings' } as const;

/** g and a letter go to a screen, ? shows all keys. */
export function useGoKeys(help: () => void): void {
  const router = useRouter();
  const press = useEffectEvent((event: KeyboardEvent, waiting: boolean) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || isCovered()) {
      return false;
    }
    if (event.key === '?') {
      help();
      return false;
    }
    const target = goKeys[event.key as keyof typeof goKeys] as (typeof goKeys)[keyof typeof goKeys] | undefined;
    if (waiting && target !== undefined) {
      event.preventDefault();
      event.stopImmediatePropagation();
      void router.navigate({ to: target });
      return false;
    }
    return event.key === 'g';
  });
  useEffect(() => {
    let since = 0;
    const listener = (event: KeyboardEvent) => {
      const waiting = event.timeStamp - since < goPatience;
      since = press(event, waiting) ? event.timeStamp : 0;
    };
    // Before the screens: after g, a letter is not theirs.
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}
