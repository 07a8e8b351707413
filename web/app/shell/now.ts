import { useSyncExternalStore } from 'react';

/** Milliseconds between two looks at the clock. */
export const step = 20_000;

let now = new Date();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = new Date();
    listeners.forEach((each) => each());
  }, step);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The time, good for relative times; one timer for the whole page. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => now);
}
