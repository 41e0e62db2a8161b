import { UNRECORDED_MAX } from '../../../src/features/webhooks/deliveries/worker/endpoint-lane.ts';
import { AT_ONCE_MAX } from '../../../src/features/webhooks/deliveries/worker/send-window.ts';
import type { PosthornProcess } from '../../harness/posthorn-process.ts';
import { compareWebhooks, type WebhookComparison } from './compare-webhooks.ts';
import { requestsFor } from './requests.ts';
import { createRig, type Rig, type RigOptions } from './rig.ts';
import type { SendRequest } from './sending-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';
import type { KnownEndpoint, StoredDelivery, StoredEvent } from './webhook-records.ts';

/** An installation whose mail is kept and whose events are told to a receiver beside it. */
export interface WebhookRig extends Rig {
  readonly receiver: WebhookReceiver;
  /** Makes an endpoint for everything, one for bounces and one that is disabled, over the API of a process. */
  makeEndpoints(api: PosthornProcess): Promise<void>;
  /** Waits until every email has come to an end, every event is applied and no delivery waits. */
  untilDelivered(timeoutMs?: number): Promise<void>;
  compareWebhooks(): Promise<WebhookComparison>;
}

/** The requests at once, and the answers that are not on record: what one process may lose of an endpoint. */
export const UNDER_WAY_MAX = AT_ONCE_MAX + UNRECORDED_MAX;

// A second for an answer and two more for the lease: what takes 15 seconds in life takes three here.
const SETTINGS = {
  POSTHORN_PROVIDER_URL: 'capture:',
  POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
  POSTHORN_WEBHOOK_TIMEOUT_SECONDS: '1',
  POSTHORN_WEBHOOK_RETRY_SECONDS: Array(60).fill('1').join(),
};

const ENDPOINTS = [
  { name: 'everything', events: ['*'], enabled: true },
  { name: 'bounces', events: ['bounce'], enabled: true },
  { name: 'disabled', events: ['*'], enabled: false },
];

const WAITING = `
  select (select count(*) from provider_events where applied_at is null)::integer as events,
         (select count(*) from webhook_deliveries where status = 'pending')::integer as deliveries`;

export async function createWebhookRig(options: RigOptions = {}): Promise<WebhookRig> {
  const receiver = await startWebhookReceiver();
  const rig = await createRig({ ...options, env: { ...SETTINGS, ...options.env } });
  const endpoints: KnownEndpoint[] = [];
  return {
    ...rig,
    receiver,
    async makeEndpoints(api) {
      for (const { name, events, enabled } of ENDPOINTS) {
        const made = await api.fetch('/v1/webhooks', { body: { url: receiver.url(name), events } });
        if (made.status !== 201) throw new Error(`no endpoint: ${JSON.stringify(made.body)}`);
        const { id } = made.body as { id: string }; // as the API documents it
        if (!enabled) await api.fetch(`/v1/webhooks/${id}`, { method: 'PATCH', body: { enabled } });
        endpoints.push({ id, name, events, enabled });
      }
    },
    async untilDelivered(timeoutMs = 120_000) {
      const until = performance.now() + timeoutMs;
      await rig.untilQuiet(timeoutMs);
      for (;;) {
        const [left] = await rig.query(WAITING);
        if (left?.['events'] === 0 && left['deliveries'] === 0) return;
        if (performance.now() > until) throw new Error(`not delivered in ${timeoutMs} ms: ${JSON.stringify(left)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async compareWebhooks() {
      // As the statements name their columns.
      const events = (await rig.query(`
        select id, email_id::text as "emailId", type::text from email_events
         union all select id, '', type from workspace_events`)) as unknown as StoredEvent[];
      const deliveries = (await rig.query(`
        select id, webhook_id as "webhookId", event_id as "eventId", status, attempt::integer
          from webhook_deliveries where not is_test`)) as unknown as StoredDelivery[];
      const told = rig.client.accepted.flatMap(({ emails }) => emails.map(({ id }) => id));
      return compareWebhooks({ told: [...new Set(told)], events, endpoints, received: receiver.received, deliveries });
    },
    async close() {
      await rig.close();
      await receiver.close();
    },
  };
}

/** As `requestsFor`; a quarter of the mail bounces, and another is complained about. */
export function eventfulRequests(recipients: number, seed: number): SendRequest[] {
  let count = 0;
  const fate = (address: string): string => {
    count += 1;
    const [label] = address.split('@');
    if (count % 4 === 1) return `bounce+${label}@simulator.amazonses.com`;
    return count % 4 === 2 ? `complaint+${label}@simulator.amazonses.com` : address;
  };
  return requestsFor(recipients, seed).map(({ key, sends }) => ({ key, sends: sends.map((to) => to.map(fate)) }));
}

/** The result of a comparison, in one line; lists as their lengths. */
export function tallyWebhooks(comparison: WebhookComparison): string {
  return Object.entries(comparison)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.length : value}`)
    .join(', ');
}
