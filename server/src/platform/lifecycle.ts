import type { Log } from './log.ts';

/** Something that lives as long as the process. `stop` may be called twice, or before `start`. */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  /** Finishes what is in hand and gives the rest back. */
  stop(): Promise<void>;
}

/**
 * The services that start one after the other. Services in an inner list do not need each other, and are stopped at
 * the same time.
 */
export type Services = readonly (Service | readonly Service[])[];

/**
 * Starts in order; what was started is stopped in the opposite order, also when a later start fails. Services of an
 * inner list stop together: each may take its seconds to finish what is in hand, and their sum would be too long for
 * whoever waits for the process to end.
 */
export async function startAll(services: Services, log: Log): Promise<{ stop(): Promise<void> }> {
  const started: Service[][] = [];
  const stop = async (): Promise<void> => {
    for (let step = started.pop(); step !== undefined; step = started.pop())
      await Promise.all(step.map((service) => stopOne(service, log)));
  };
  try {
    for (const step of services) {
      const running: Service[] = [];
      started.push(running);
      for (const service of [step].flat()) {
        running.push(service);
        await service.start();
      }
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

async function stopOne(service: Service, log: Log): Promise<void> {
  try {
    await service.stop();
  } catch (error) {
    log.error({ err: error, service: service.name }, 'service did not stop cleanly');
  }
}
