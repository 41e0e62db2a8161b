import { type LoadedSes, loadSesClient, type SesClientOptions } from './ses-client.ts';
import type { SesSettings } from './ses-settings.ts';

const ANSWER_MAX_MS = 5_000;
const CONNECTIONS = 4;

/** Calls to several regions: a client for each, which is loaded with its first call. Each ends within five seconds. */
export function createRegionCalls(settings: SesSettings, options: SesClientOptions) {
  const clients = new Map<string, Promise<LoadedSes>>();
  let closing = new AbortController();
  return {
    async within<T>(region: string, work: (ses: LoadedSes, abortSignal: AbortSignal) => Promise<T>): Promise<T> {
      const client = clients.get(region) ?? loadSesClient({ ...settings, region, connections: CONNECTIONS }, options);
      clients.set(region, client);
      const signal = AbortSignal.any([AbortSignal.timeout(ANSWER_MAX_MS), closing.signal]);
      // The chain of credentials looks at no signal; nobody waits for it longer than for an answer.
      const late = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return Promise.race([client.then((ses) => work(ses, signal)), late]);
    },
    close() {
      closing.abort(new Error('closed'));
      closing = new AbortController();
      for (const client of clients.values()) void client.then((ses) => ses.client.destroy());
      clients.clear();
    },
  };
}

export const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
