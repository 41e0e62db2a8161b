/**
 * The endpoint of a domain that received mail is forwarded to: an endpoint like all others for whoever delivers, and
 * for nobody else. No list shows it, and no event but received mail goes to it.
 */
import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { generateSecret, maskedSecret, openSecret, openSecrets, sealSecret } from '../endpoint-secret.ts';
import { insertBodies, listBodies } from '../events/queries.ts';
import { eventName } from '../events/event-name.ts';
import { type AttemptOutcome, sendAttempt } from '../send-attempt.ts';
import { maySeeSecret } from '../webhook.ts';
import {
  deleteForward,
  findForward,
  type ForwardEndpoint,
  hastenForward,
  insertForwardDelivery,
  putForward,
} from './queries.ts';

const EVENT_TYPE = 'inbound';

/** Sets the endpoint of a domain, or with null removes it; then call `stopDeliveries` after the commit. */
export async function setForward(
  tx: Db,
  ctx: Pick<Ctx, 'workspaceId' | 'secrets'>,
  { domainId, url }: { domainId: string; url: string | null },
): Promise<void> {
  const { workspaceId } = ctx;
  if (url === null) return deleteForward(tx, workspaceId, domainId);
  await putForward(tx, { workspaceId, domainId, url, secret: sealSecret(ctx.secrets, generateSecret()) });
}

/** The secret that signs what is forwarded, as this caller may see it; null: nothing is forwarded. */
export async function forwardSecret(ctx: Ctx, db: Db, domainId: string): Promise<string | null> {
  const endpoint = await findForward(db, ctx.workspaceId, domainId);
  return endpoint === undefined ? null : shownSecret(ctx, endpoint);
}

/** How the endpoint of a domain does, in the words of the record of a webhook. */
export interface ForwardHealth {
  enabled: boolean;
  disabled_reason: string | null;
  last_success_at: string | null;
  last_failure_at: string | null;
  failing_since: string | null;
}

/** The endpoint of a domain as its record shows it; null: nothing is forwarded. */
export async function describeForward(
  ctx: Ctx,
  domainId: string,
): Promise<{ secret: string; health: ForwardHealth } | null> {
  const endpoint = await findForward(ctx.db, ctx.workspaceId, domainId);
  if (endpoint === undefined) return null;
  const { enabled, disabledReason, lastSuccessAt, lastFailureAt, failingSince } = endpoint;
  return {
    secret: shownSecret(ctx, endpoint),
    health: {
      enabled,
      disabled_reason: disabledReason,
      last_success_at: lastSuccessAt?.toISOString() ?? null,
      last_failure_at: lastFailureAt?.toISOString() ?? null,
      failing_since: failingSince?.toISOString() ?? null,
    },
  };
}

function shownSecret(ctx: Ctx, endpoint: ForwardEndpoint): string {
  const secret = openSecret(ctx.secrets, endpoint.secret);
  return maySeeSecret(ctx.actor) ? secret : maskedSecret(secret);
}

export interface ForwardedEvent {
  workspaceId: string;
  domainId: string;
  eventId: string;
}

/** Stores the bytes of an event, and its delivery, in the caller's transaction. False: the domain has no endpoint. */
export async function publishForward(tx: Db, event: ForwardedEvent, body: string): Promise<boolean> {
  if (!(await insertForwardDelivery(tx, event))) return false;
  await insertBodies(tx, [{ ...event, body }]);
  return true;
}

/**
 * Delivers an event once more with the bytes that it had; `render` makes them when they are no longer kept. One that
 * waits for its next attempt is only moved to now. False: the domain has no endpoint.
 */
export async function redeliverForward(tx: Db, event: ForwardedEvent, render: () => Promise<string>): Promise<boolean> {
  if (await hastenForward(tx, event)) return true;
  if (!(await insertForwardDelivery(tx, event))) return false;
  if ((await listBodies(tx, [event])).length === 0) await insertBodies(tx, [{ ...event, body: await render() }]);
  return true;
}

/** One signed attempt of a sample that `render` makes. Undefined: the domain has no endpoint. */
export async function testForward(
  ctx: Ctx,
  { domainId, safeFetch }: { domainId: string; safeFetch: SafeFetch },
  render: (head: object) => object,
): Promise<AttemptOutcome | undefined> {
  const endpoint = await findForward(ctx.db, ctx.workspaceId, domainId);
  if (endpoint === undefined) return undefined;
  const [eventId, now] = [newId(), ctx.clock.now()];
  return sendAttempt({
    safeFetch,
    webhookId: domainId,
    url: endpoint.url,
    secrets: openSecrets(ctx.secrets, endpoint, now),
    body: JSON.stringify(render(headOfForward({ workspaceId: ctx.workspaceId, eventId, at: now }, true))),
    eventId,
    eventType: EVENT_TYPE,
    deliveryId: newId(),
    attempt: 1,
    now,
    timeoutMs: ctx.settings.webhookTimeoutSeconds * 1_000,
  });
}

/** The first fields of a forwarded event. */
export const headOfForward = (
  { workspaceId, eventId, at }: { workspaceId: string; eventId: string; at: Date },
  test: boolean,
) => ({
  id: eventName(eventId),
  type: EVENT_TYPE,
  created_at: at.toISOString(),
  workspace_id: workspaceId,
  test,
});
