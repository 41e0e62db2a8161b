import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { isEventType } from '../catalogue.ts';
import { openSecrets } from '../endpoint-secret.ts';
import { envelopeOf } from '../events/envelope.ts';
import { insertBodies } from '../events/queries.ts';
import { getWebhook } from '../get-webhook.ts';
import { type AttemptOutcome, sendAttempt } from '../send-attempt.ts';
import { readEventType } from '../webhook-input.ts';
import { insertTestDelivery } from '../webhook-queries.ts';
import type { WebhookPorts } from '../wiring.ts';
import { sampleEvent } from './sample-events.ts';

export interface TestAnswer {
  success: boolean;
  /** 0: no answer. */
  status: number;
  body: string;
}

/**
 * Sends a realistic sample to an endpoint, once, and says what came back. It is kept among the deliveries, and counts
 * neither for nor against the endpoint: only what really happened may enable, disable or excuse it.
 */
export async function testWebhook(
  ctx: Ctx,
  id: string,
  wanted: string | undefined,
  ports: WebhookPorts,
): Promise<TestAnswer> {
  const webhook = await getWebhook(ctx, id);
  const type = wanted === undefined ? firstOf(webhook.events) : readEventType('type', wanted);
  const [eventId, deliveryId, now] = [newId(), newId(), ctx.clock.now()];
  const { workspaceId } = ctx;
  const body = JSON.stringify(envelopeOf(sampleEvent(type, { workspaceId, eventId, at: now }), true));
  const outcome = await sendAttempt({
    safeFetch: ports.safeFetch,
    webhookId: webhook.id,
    url: webhook.url,
    secrets: openSecrets(ctx.secrets, webhook, now),
    body,
    eventId,
    eventType: type,
    deliveryId,
    attempt: 1,
    now,
    timeoutMs: ctx.settings.webhookTimeoutSeconds * 1_000,
  });
  await inTransaction(ctx.db, async (tx) => {
    await insertBodies(tx, [{ workspaceId, eventId, body }]);
    await insertTestDelivery(tx, {
      workspaceId,
      id: deliveryId,
      webhookId: webhook.id,
      eventId,
      eventType: type,
      url: webhook.url,
      succeeded: outcome.error === null,
      responseStatus: outcome.status,
      responseBody: outcome.responseBody,
      responseTimeMs: Math.round(outcome.tookMs),
      error: outcome.error,
      at: now,
    });
  });
  return answerOf(outcome);
}

/** An endpoint for everything is shown what comes first in the life of an email. */
const firstOf = (events: readonly string[]) => events.find(isEventType) ?? 'send';

const answerOf = ({ status, error, responseBody }: AttemptOutcome): TestAnswer =>
  status === null
    ? { success: false, status: 0, body: error ?? 'No answer came.' }
    : { success: error === null, status, body: responseBody };
