import { useSyncExternalStore } from 'react';

const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** Nobody may have asked for minutes. While somebody listens, it is one time for all. */
function read(): number {
  if (listeners.size === 0 && Date.now() - now > 1_000) now = Date.now();
  return now;
}

/** The time, again every 15 seconds; one timer for all relative times of a page. */
export const useNow = (): number => useSyncExternalStore(subscribe, read);
