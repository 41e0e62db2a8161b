import type { Service } from './lifecycle.ts';
import type { Log } from './log.ts';

export interface PeriodicWork {
  name: string;
  everyMs: number;
  log: Log;
  /** The log message when the work begins to fail; it is tried again when the time comes. */
  failure: string;
  /** Long work asks `goOn` between its pages, and ends early when the service stops. */
  work(goOn: () => boolean): Promise<unknown>;
  /** A wake begins a round no sooner than this after the last one ended, so that one round serves many wakes; 0. */
  restMs?: number;
}

export interface PeriodicService extends Service {
  /** There is work: a round begins soon, also when one is under way. Does nothing while the service is stopped. */
  wake(): void;
}

/**
 * Does some work every so often, first after `everyMs`; a round that lasts longer than that is not overtaken by the
 * next. `stop` waits for the round under way. The timer does not keep a process alive.
 */
export function periodic({ name, everyMs, log, failure, work, restMs = 0 }: PeriodicWork): PeriodicService {
  let timer: NodeJS.Timeout | undefined;
  let resting: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let endedAt = -Infinity;
  let isWanted = false;
  let failing = false;
  const round = async (): Promise<void> => {
    try {
      await work(() => timer !== undefined);
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error }, failure);
      failing = true;
    }
  };
  const begin = (): void => {
    if (running !== undefined) return;
    isWanted = false;
    running = round().finally(() => {
      running = undefined;
      endedAt = performance.now();
      if (isWanted) beginRested();
    });
  };
  const beginRested = (): void => {
    if (timer === undefined || resting !== undefined) return;
    const leftMs = endedAt + restMs - performance.now();
    resting = setTimeout(
      () => {
        resting = undefined;
        begin();
      },
      Math.max(0, leftMs),
    ).unref();
  };
  return {
    name,
    async start() {
      timer ??= setInterval(begin, everyMs).unref();
    },
    wake() {
      isWanted = true;
      if (running === undefined) beginRested();
    },
    async stop() {
      clearInterval(timer);
      clearTimeout(resting);
      timer = undefined;
      resting = undefined;
      await running;
    },
  };
}
