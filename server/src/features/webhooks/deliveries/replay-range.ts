import { inTransaction } from '#platform/db/database.ts';
import { conflict, invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isDatabaseTime } from '#platform/http/paging.ts';
import { eachItem, readEach } from '#platform/http/fields/read-meaning.ts';
import { firstIdAt, isUuid } from '#platform/ids.ts';
import type { EmailEvents } from '../events/email-events.ts';
import { getWebhook } from '../get-webhook.ts';
import type { ReplayBody } from './schemas.ts';
import { readEventType } from '../webhook-input.ts';
import { hastenWaiting, replayAll, replayFailed, type ReplayOf, type ReplayRange } from './queries/replay.ts';

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

type ReplayCtx = Pick<Ctx, 'actor' | 'clock' | 'db' | 'workspaceId'>;

/** How far one call goes. */
export interface ReplayBounds {
  readonly queuedMax: number;
  /** Events looked at, so that a call ends in time although few of them are wanted. */
  readonly lookedAtMax: number;
  /** Events of one commit. */
  readonly page: number;
}

export const REPLAY_BOUNDS: ReplayBounds = { queuedMax: 10_000, lookedAtMax: 100_000, page: 1_000 };

/** Where a call goes on: first come the deliveries that wait, by when they are due, then the others by their ids. */
type Place = { dueAt: string | null; id: string };

/**
 * Delivers a range again: what waits for its next attempt is tried now, and what failed (each once), or everything that
 * the endpoint would be told today, also from when it was disabled or not there yet, is queued anew. They come after
 * what is new, with one attempt in five for themselves. A range that is too much for one call is continued with the
 * cursor; each page of it is a commit of its own.
 */
export async function replayRange(
  ctx: ReplayCtx,
  emailEvents: EmailEvents,
  webhookId: string,
  input: ReplayInput,
  bounds = REPLAY_BOUNDS,
): Promise<ReplayAnswer> {
  const webhook = await getWebhook(ctx, webhookId);
  const [since, until] = [new Date(input.since), new Date(input.until ?? ctx.clock.now().getTime() + 1_000)];
  if (since >= until) throw invalid('since', 'since must be before until');
  const eventTypes = input.event_types?.map((type, index) => readEventType(`event_types[${index}]`, type)) ?? null;
  let place = input.cursor === undefined ? null : readCursor(input.cursor);
  if (!webhook.enabled) throw conflict('This webhook is disabled. Enable it first.');
  const of = { workspaceId: ctx.workspaceId, webhookId: webhook.id };
  const range = { fromId: firstIdAt(since), untilId: firstIdAt(until), eventTypes };
  let queued = 0;
  for (let lookedAt = 0; queued < bounds.queuedMax && lookedAt < bounds.lookedAtMax; lookedAt += bounds.page) {
    const part = { ...range, limit: Math.min(bounds.page, bounds.queuedMax - queued) };
    const page = await replayPage(ctx, emailEvents, of, { ...part, place, onlyFailed: input.only_failed !== false });
    queued += page.queued;
    if (page.next === null) return { queued, hasMore: false, nextCursor: null };
    place = page.next;
  }
  return { queued, hasMore: true, nextCursor: place === null ? null : cursorOf(place) };
}

/** One page from `place` on. `next` is null when there is nothing behind it. */
async function replayPage(
  ctx: ReplayCtx,
  emailEvents: EmailEvents,
  of: ReplayOf,
  asked: Omit<ReplayRange, 'after'> & { place: Place | null; onlyFailed: boolean },
): Promise<{ queued: number; next: Place | null }> {
  const { place, onlyFailed, ...range } = asked;
  return inTransaction(ctx.db, async (tx) => {
    if (place === null || place.dueAt !== null) {
      const after = place === null || place.dueAt === null ? null : { dueAt: place.dueAt, id: place.id };
      const { hastened, last } = await hastenWaiting(tx, of, { ...range, after });
      return { queued: hastened, next: last ?? { dueAt: null, id: range.fromId } };
    }
    const part = { ...range, after: place.id };
    const { queued, last } = await (onlyFailed ? replayFailed(tx, of, part) : replayAll(tx, emailEvents, of, part));
    return { queued, next: last === null ? null : { dueAt: null, id: last } };
  });
}

const cursorOf = ({ dueAt, id }: Place): string =>
  Buffer.from(dueAt === null ? id : `${id} ${dueAt}`).toString('base64url');

function readCursor(text: string): Place {
  const [id = '', dueAt = null] = Buffer.from(text, 'base64url').toString('utf8').split(' ', 2);
  if (!isUuid(id) || (dueAt !== null && !isDatabaseTime(dueAt))) {
    throw invalid('cursor', 'cursor is not one that a replay of ours has returned');
  }
  return { dueAt, id };
}

export const readReplay = readEach<typeof ReplayBody>({
  event_types: eachItem((type: string, index) => readEventType(`event_types[${index}]`, type)),
  cursor: readCursor,
});
