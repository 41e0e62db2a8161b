import { inTransaction } from '#platform/db/database.ts';
import { conflict, invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { firstIdAt, isUuid } from '#platform/ids.ts';
import type { EmailEvents } from '../events/email-events.ts';
import { getWebhook } from '../get-webhook.ts';
import { readEventType } from '../webhook-input.ts';
import { replayAll, replayFailed } from './queries/replay.ts';

export interface ReplayInput {
  since: string;
  until?: string;
  event_types?: readonly string[];
  only_failed?: boolean;
  cursor?: string;
}

export interface ReplayAnswer {
  queued: number;
  hasMore: boolean;
  /** Where the next call goes on; null when everything is queued. */
  nextCursor: string | null;
}

/** Of one call. */
const QUEUED_MAX = 10_000;
/** Events looked at by one call, so that it ends in time although few of them are wanted. */
const LOOKED_AT_MAX = 100_000;
const PAGE = 1_000;

/**
 * Queues deliveries of a range anew: those that failed (each once), or all events that the endpoint would be told
 * today, also those from when it was disabled or not there yet. They come after what is new, with one attempt in five
 * for themselves. A range that is too much for one call is continued with the cursor.
 */
export async function replayRange(
  ctx: Ctx,
  emailEvents: EmailEvents,
  webhookId: string,
  input: ReplayInput,
): Promise<ReplayAnswer> {
  const webhook = await getWebhook(ctx, webhookId);
  const [since, until] = [new Date(input.since), new Date(input.until ?? ctx.clock.now().getTime() + 1_000)];
  if (since >= until) throw invalid('since', 'since must be before until');
  const eventTypes = input.event_types?.map((type, index) => readEventType(`event_types[${index}]`, type)) ?? null;
  const first = input.cursor === undefined ? null : readCursor(input.cursor);
  if (!webhook.enabled) throw conflict('This webhook is disabled. Enable it first.');
  const of = { workspaceId: ctx.workspaceId, webhookId: webhook.id };
  const range = { fromId: firstIdAt(since), untilId: firstIdAt(until), eventTypes, limit: PAGE };
  let queued = 0;
  let after = first;
  for (let lookedAt = 0; queued < QUEUED_MAX && lookedAt < LOOKED_AT_MAX; lookedAt += PAGE) {
    const limit = Math.min(PAGE, QUEUED_MAX - queued);
    const part = { ...range, after, limit };
    const page = await inTransaction(ctx.db, (tx) =>
      input.only_failed === false ? replayAll(tx, emailEvents, of, part) : replayFailed(tx, of, part),
    );
    queued += page.queued;
    if (page.last === null) return { queued, hasMore: false, nextCursor: null };
    after = page.last;
  }
  return { queued, hasMore: true, nextCursor: after === null ? null : Buffer.from(after).toString('base64url') };
}

function readCursor(text: string): string {
  const id = Buffer.from(text, 'base64url').toString('utf8');
  if (!isUuid(id)) throw invalid('cursor', 'cursor is not one that a replay of ours has returned');
  return id;
}
