import type { Service } from './lifecycle.ts';
import type { Log } from './log.ts';

export interface PeriodicWork {
  name: string;
  everyMs: number;
  log: Log;
  /** What the log says when the work begins to fail; it is tried again when the time comes. */
  failure: string;
  /** Long work asks `goOn` between its pages, and ends early when the service stops. */
  work(goOn: () => boolean): Promise<unknown>;
}

/**
 * Does some work every so often, first after `everyMs`; a round that lasts longer than that is not overtaken by the
 * next. `stop` waits for the round under way. The timer does not keep a process alive.
 */
export function periodic({ name, everyMs, log, failure, work }: PeriodicWork): Service {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
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
  return {
    name,
    async start() {
      timer ??= setInterval(() => {
        running ??= round().finally(() => {
          running = undefined;
        });
      }, everyMs).unref();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await running;
    },
  };
}
