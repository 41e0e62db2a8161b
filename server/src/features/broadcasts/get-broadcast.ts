import { bulkSends } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { isUuid } from '#platform/ids.ts';
import type { Broadcast } from './broadcast.ts';
import { findBroadcast, lockBroadcast } from './queries.ts';

interface Asking {
  readonly db: Db;
  readonly workspaceId: string;
}

/** Not found for an id that is none, is unknown, or belongs to another workspace. */
export async function getBroadcast({ db, workspaceId }: Asking, id: string): Promise<Broadcast> {
  return found(isUuid(id) ? await findBroadcast(db, workspaceId, id) : undefined, id);
}

/** The same, held by the transaction: of two moves at once the second sees what the first has done. */
export async function getLockedBroadcast({ db, workspaceId }: Asking, id: string): Promise<Broadcast> {
  return found(isUuid(id) ? await lockBroadcast(db, workspaceId, id) : undefined, id);
}

/**
 * The broadcast, held for a change; the send of a paused one is held before it, as everywhere. Undefined: it is not
 * there.
 */
export async function lockWithPausedSend({ db, workspaceId }: Asking, id: string): Promise<Broadcast | undefined> {
  const sendId = (await findBroadcast(db, workspaceId, id))?.sendId ?? null;
  if (sendId !== null) await bulkSends.holdPaused(db, { workspaceId, sendId });
  return lockBroadcast(db, workspaceId, id);
}

function found(broadcast: Broadcast | undefined, id: string): Broadcast {
  if (broadcast === undefined) throw notFound('broadcast', id);
  return broadcast;
}
