import { AsyncLocalStorage } from 'node:async_hooks';

/** A transaction of the code that runs, and of everything that it calls. */
interface Open {
  /** Work that a transaction began and did not wait for may outlive it. */
  isOpen: boolean;
}

const current = new AsyncLocalStorage<Open>();

/** Runs `work` as part of a transaction: `refuseInTransaction` throws in it, and in all that it calls. */
export async function duringTransaction<T>(work: () => Promise<T>): Promise<T> {
  const open: Open = { isOpen: true };
  try {
    return await current.run(open, work);
  } finally {
    open.isOpen = false;
  }
}

/**
 * Throws when the caller is inside a transaction. Everything that waits for somebody else's server calls it first: a
 * receiver that does not answer would hold a connection of the pool, and enough of them would hold all.
 */
export function refuseInTransaction(what: string): void {
  if (current.getStore()?.isOpen === true) throw new Error(`${what} in a transaction: it would hold a connection`);
}
