/**
 * "There is something to read or to apply", within this process. Only a hint, given after the commit: whoever listens
 * also polls, which is how the work of other processes is found.
 */
const heard = new Set<() => void>();

export function announceWork(): void {
  for (const wake of heard) wake();
}

/** Calls `wake` whenever this process stored something; returns how to stop that. */
export function onWork(wake: () => void): () => void {
  heard.add(wake);
  return () => heard.delete(wake);
}
