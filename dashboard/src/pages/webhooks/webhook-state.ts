import type { Webhook, WebhookDelivery, WebhookDeliveryStatus } from '../../api/generated/types.gen.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

type Shown = { label: string; tone: Tone };

type State = Pick<Webhook, 'enabled' | 'disabled_reason' | 'last_success_at' | 'last_failure_at'>;

/** The health of an endpoint by its last answers. */
export function healthOf({ enabled, disabled_reason, last_success_at, last_failure_at }: State): Shown {
  if (!enabled) {
    return disabled_reason === null
      ? { label: 'Disabled', tone: 'quiet' }
      : { label: 'Disabled by Posthorn', tone: 'bad' };
  }
  if (last_failure_at !== null && (last_success_at === null || last_failure_at > last_success_at))
    return { label: 'Failing', tone: 'warn' };
  return last_success_at === null ? { label: 'No delivery yet', tone: 'info' } : { label: 'Healthy', tone: 'ok' };
}

export const DELIVERY_STATES: Readonly<Record<WebhookDeliveryStatus, Shown & { meaning: string }>> = {
  pending: { label: 'Waiting', tone: 'info', meaning: 'It waits for its next attempt.' },
  delivering: { label: 'Delivering', tone: 'info', meaning: 'It is due, and its endpoint is being served.' },
  succeeded: { label: 'Delivered', tone: 'ok', meaning: 'The endpoint answered with success.' },
  failed: { label: 'Failed', tone: 'bad', meaning: 'Every attempt failed. A replay sends it again.' },
  discarded: { label: 'Discarded', tone: 'quiet', meaning: 'The event was deleted before it could be delivered.' },
};

export const DELIVERY_STATE_OPTIONS = Object.entries(DELIVERY_STATES).map(([value, { label }]) => ({ value, label }));

export const isUnderWay = ({ status }: Pick<WebhookDelivery, 'status'>): boolean =>
  status === 'pending' || status === 'delivering';

/** "200 in 34 ms", or why there is no answer. */
export function answerOf(status: number | null, error: string | null): string | null {
  if (status !== null && status > 0) return `${status}`;
  return error;
}

/**
 * The headers of the last attempt, as `server/src/features/webhooks/signature.ts` writes them. Signatures are made for
 * each attempt and not kept.
 */
export function requestHeadersOf({ id, event_id, event_type, attempt, attempts }: WebhookDelivery): string {
  const last = attempts.at(-1);
  const seconds = last === undefined ? '…' : String(Math.floor(Date.parse(last.at) / 1000));
  return [
    'Content-Type: application/json',
    'User-Agent: Service-Webhook/1.0',
    `X-Service-Signature: t=${seconds},v1=…`,
    `X-Service-Timestamp: ${seconds}`,
    `X-Service-Event: ${event_type}`,
    `X-Service-Delivery: ${id}`,
    `X-Service-Attempt: ${Math.max(attempt, 1)}`,
    `webhook-id: ${event_id}`,
    `webhook-timestamp: ${seconds}`,
    'webhook-signature: v1,…',
  ].join('\n');
}
