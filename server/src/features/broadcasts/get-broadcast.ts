import { bulkSends } from '#features/outbox';
import { requireKeyForNewsletter } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Actor } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import type { Broadcast } from './broadcast.ts';
import { findBroadcast, lockBroadcast } from './queries.ts';

interface Asking {
  readonly db: Db;
  readonly workspaceId: string;
  readonly actor: Actor;
}

/**
 * Not found for an id that is none, is unknown, or belongs to another workspace. 403 for a broadcast to a newsletter
 * that the key may not use: its recipients are the subscribers.
 */
export async function getBroadcast({ db, workspaceId, actor }: Asking, id: string): Promise<Broadcast> {
  return shown(actor, isUuid(id) ? await findBroadcast(db, workspaceId, id) : undefined, id);
}

/** The same, held by the transaction: of two moves at once the second sees what the first has done. */
export async function getLockedBroadcast({ db, workspaceId, actor }: Asking, id: string): Promise<Broadcast> {
  return shown(actor, isUuid(id) ? await lockBroadcast(db, workspaceId, id) : undefined, id);
}

/**
 * The broadcast, held for a change; the send of a paused one is held before it, as everywhere. Undefined: it is not
 * there.
 */
export async function lockWithPausedSend(ctx: Asking, id: string): Promise<Broadcast | undefined> {
  const { db, workspaceId } = ctx;
  const sendId = (await findBroadcast(db, workspaceId, id))?.sendId ?? null;
  if (sendId !== null) await bulkSends.holdPaused(db, { workspaceId, sendId });
  const held = await lockBroadcast(db, workspaceId, id);
  return held && shown(ctx.actor, held, id);
}

function shown(actor: Actor, broadcast: Broadcast | undefined, id: string): Broadcast {
  if (broadcast === undefined) throw notFound('broadcast', id);
  const { newsletterId = null } = broadcast.audience;
  if (newsletterId !== null) requireKeyForNewsletter(actor, newsletterId);
  return broadcast;
}
