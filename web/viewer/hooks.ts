import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

/** A value that the parent keeps if it gives one, and the component otherwise. */
export function useControlled<T>(given: T | undefined, initial: T, tell: ((value: T) => void) | undefined): [T, (value: T) => void] {
  const [own, setOwn] = useState(initial);
  const set = useCallback(
    (value: T) => {
      setOwn(value);
      tell?.(value);
    },
    [tell],
  );
  return [given === undefined ? own : given, set];
}

/** The size of what can be seen of an element's content, without scroll bars. */
export function useClientSize(ref: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) {
      return undefined;
    }
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}

/** Whether a media query holds, also when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

export const useCalm = () => useMedia('(prefers-reduced-motion: reduce)');

/** Calls the latest version of a function: for listeners that stay while their function changes. */
export function useLatest<A extends unknown[], R>(run: (...args: A) => R): (...args: A) => R {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}

/** Listens to events of an element. Options must not change. */
export function useListener<K extends keyof HTMLElementEventMap>(
  ref: RefObject<HTMLElement | null>,
  type: K,
  listener: (event: HTMLElementEventMap[K]) => void,
  passive: boolean,
): void {
  const latest = useLatest(listener);
  useEffect(() => {
    const element = ref.current;
    element?.addEventListener(type, latest, { passive });
    return () => element?.removeEventListener(type, latest);
  }, [ref, type, latest, passive]);
}
