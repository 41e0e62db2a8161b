import type { Log } from './log.ts';

/** Something that lives as long as the process. `stop` may be called twice, or before `start`. */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  /** Finishes what is in hand and gives the rest back. */
  stop(): Promise<void>;
}

/** Starts in order; what was started is stopped in the opposite order, also when a later start fails. */
export async function startAll(services: readonly Service[], log: Log): Promise<{ stop(): Promise<void> }> {
  const started: Service[] = [];
  const stop = async (): Promise<void> => {
    for (let service = started.pop(); service !== undefined; service = started.pop()) {
      try {
        await service.stop();
      } catch (error) {
        log.error({ err: error, service: service.name }, 'service did not stop cleanly');
      }
    }
  };
  try {
    for (const service of services) {
      started.push(service);
      await service.start();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
