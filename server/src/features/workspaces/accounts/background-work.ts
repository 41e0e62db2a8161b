import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';

export interface BackgroundWork extends Service {
  /** Starts work that the caller does not wait for. A failure is logged. */
  run(what: string, log: Log, work: () => Promise<void>): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

/** Work that goes on after its request was answered, so that the time of the answer tells nothing about it. */
export function createBackgroundWork(): BackgroundWork {
  const running = new Set<Promise<void>>();
  const settled = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    name: 'account mails',
    run(what, log, work) {
      const task: Promise<void> = work()
        .catch((error: unknown) => log.error({ err: error }, `${what} failed`))
        .finally(() => running.delete(task));
      running.add(task);
    },
    settled,
    start: async () => undefined,
    stop: settled,
  };
}
