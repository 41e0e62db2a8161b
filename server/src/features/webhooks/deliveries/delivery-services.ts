import type { Listener } from '#platform/db/listener.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { EmailEvents } from '../events/email-events.ts';
import { DeliveryWorker } from './worker/delivery-worker.ts';
import { type DisablePorts, disableEndpoint } from './watching/disable-endpoint.ts';
import { createRetention } from './retention.ts';
import { createFailureWatch } from './watching/watch-failing.ts';

export interface DeliveryServicesOptions extends DisablePorts {
  listener: Listener;
  safeFetch: SafeFetch;
  emailEvents: EmailEvents;
  metrics: Pick<Metrics, 'webhookAttempts'>;
}

/** The services of a process with the worker role. Any number of processes may share a database. */
export function deliveryServices(options: DeliveryServicesOptions): Service[] {
  const { listener, metrics, settings } = options;
  const worker = new DeliveryWorker(
    {
      ...options,
      attemptSeconds: settings.webhookTimeoutSeconds,
      retrySeconds: settings.webhookRetrySeconds.map(Number),
      random: Math.random,
      disable: async (endpoint, reason) =>
        void (await disableEndpoint(options, endpoint, { reason, stillFailing: false })),
      counted: (outcome) => metrics.webhookAttempts.inc({ outcome }),
    },
    listener,
  );
  return [worker, createFailureWatch(options), createRetention(options)];
}
