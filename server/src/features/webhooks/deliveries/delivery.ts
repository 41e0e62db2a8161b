import { eventName } from '../events/event-name.ts';

/** As they are shown; stored, one that is `delivering` is pending like any other. */
export const DELIVERY_STATUSES = ['pending', 'delivering', 'succeeded', 'failed', 'discarded'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An attempt as it is kept, and as it is shown. */
export interface AttemptEntry {
  at: string;
  status: number | null;
  response_time_ms: number | null;
  error: string | null;
}

/** A delivery as it is stored. */
export interface Delivery {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  isTest: boolean;
  status: DeliveryStatus;
  attempt: number;
  url: string;
  responseStatus: number | null;
  responseTimeMs: number | null;
  error: string | null;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
  createdAt: Date;
  attempts: AttemptEntry[];
  /** The request that is sent and the answer; null: nothing yet. */
  requestBody: string | null;
  responseBody: string | null;
}

/** `maxAttempts` is one more than there are waits; a test is tried once. */
export const deliveryView = (delivery: Delivery, maxAttempts: number) => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event_id: eventName(delivery.eventId),
  event_type: delivery.eventType,
  status: delivery.status,
  attempt: delivery.attempt,
  max_attempts: delivery.isTest ? 1 : maxAttempts,
  url: delivery.url,
  request_body: delivery.requestBody,
  response_status: delivery.responseStatus,
  response_body: delivery.responseBody,
  response_time_ms: delivery.responseTimeMs,
  error: delivery.error,
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  delivered_at: delivery.deliveredAt?.toISOString() ?? null,
  created_at: delivery.createdAt.toISOString(),
  attempts: delivery.attempts,
});

/** How often a delivery is tried in all. */
export const maxAttemptsOf = (settings: { webhookRetrySeconds: readonly unknown[] }): number =>
  settings.webhookRetrySeconds.length + 1;
