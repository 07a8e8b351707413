// A page is accepted by its changes only when every one of them was accepted.
// So accepting one change names all that were accepted before it in the run.
// They are kept in this browser, for every tab of it.
import { useSyncExternalStore } from 'react';

const prefix = 'afterimage.accepted.';
const kept = 50; // runs

const listeners = new Set<() => void>();
const parsed = new Map<string, readonly string[]>();

function read(batchId: string): readonly string[] {
  const raw = window.localStorage.getItem(prefix + batchId) ?? '[]';
  const known = parsed.get(raw);
  if (known !== undefined) {
    return known;
  }
  let list: readonly string[] = [];
  try {
    const value: unknown = JSON.parse(raw);
    list = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    // Somebody else's entry: nothing is accepted.
  }
  parsed.set(raw, list);
  return list;
}

function write(batchId: string, fingerprints: readonly string[]): void {
  window.localStorage.setItem(prefix + batchId, JSON.stringify(fingerprints));
  const runs = Object.keys(window.localStorage).filter((key) => key.startsWith(prefix));
  for (const key of runs.slice(0, Math.max(0, runs.length - kept))) {
    if (key !== prefix + batchId) {
      window.localStorage.removeItem(key);
    }
  }
  listeners.forEach((listener) => listener());
}

/** The changes of a run that were accepted in this browser. */
export function useAccepted(batchId: string): readonly string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      window.addEventListener('storage', listener);
      return () => {
        listeners.delete(listener);
        window.removeEventListener('storage', listener);
      };
    },
    () => read(batchId),
  );
}

export function addAccepted(batchId: string, fingerprint: string): readonly string[] {
  const all = [...new Set([...read(batchId), fingerprint])].slice(-100);
  write(batchId, all);
  return all;
}

export function removeAccepted(batchId: string, fingerprint: string): void {
  write(
    batchId,
    read(batchId).filter((each) => each !== fingerprint),
  );
}
