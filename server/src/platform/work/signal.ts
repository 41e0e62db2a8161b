import type { Clock, Timer } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Listener } from '../db/listener.ts';
import type { Service } from '../lifecycle.ts';
import { notify } from './queries.ts';

/**
 * A hint from those who make work to those who do it, within the process, such as "there is something to send". It may
 * be missed: a process may die between its commit and the hint, and other processes hear nothing unless it is relayed.
 * So whoever listens also looks by itself every so often.
 */
export interface Signal<Said = void> {
  /** Call it after the commit (`onCommit`). */
  tell(said: Said): void;
  /** Calls `heard` each time; returns how to stop that. */
  hear(heard: (said: Said) => void): () => void;
}

export function signal<Said = void>(): Signal<Said> {
  const hearing = new Set<(said: Said) => void>();
  return {
    tell(said) {
      for (const heard of hearing) heard(said);
    },
    hear(heard) {
      hearing.add(heard);
      return () => void hearing.delete(heard);
    },
  };
}

export interface RelayOptions {
  name: string;
  signal: Signal;
  channel: string;
  db: Db;
  clock: Clock;
  listener: Listener | undefined;
}

/**
 * NOTIFY takes a lock at commit that lets only one committer through at a time. So it is never sent inside an accepting
 * transaction, and at most every 20 ms by each process.
 */
const NOTIFY_DELAY_MS = 20;

/** Tells the other processes on this database what this one signals, by NOTIFY, and this one what they do. */
export function relay({ name, signal: relayed, channel, db, clock, listener }: RelayOptions): Service {
  let timer: Timer | undefined;
  let off: (() => void) | undefined;
  // A signal that arrives by NOTIFY must not be sent out again.
  let isArriving = false;
  listener?.on(channel, () => {
    isArriving = true;
    relayed.tell();
    isArriving = false;
  });
  const send = (): void => {
    timer = undefined;
    void notify(db, channel).catch(() => undefined); // the others look by themselves
  };
  return {
    name,
    async start() {
      off ??= relayed.hear(() => {
        if (!isArriving) timer ??= clock.timer(NOTIFY_DELAY_MS, send);
      });
    },
    async stop() {
      off?.();
      off = undefined;
      timer?.cancel();
      timer = undefined;
    },
  };
}
