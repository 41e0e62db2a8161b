/**
 * "There is something to do for a bulk send", within the process: one was opened, its freeze was closed, it goes on or
 * was cancelled. Only a hint: whoever listens also looks every half second, which is how other processes hear of it.
 */
const heard = new Set<() => void>();

/** Call it after the commit. */
export function announceBulkWork(): void {
  for (const wake of heard) wake();
}

/** Calls `wake` at each of them; returns how to stop that. */
export function onBulkWork(wake: () => void): () => void {
  heard.add(wake);
  return () => heard.delete(wake);
}
