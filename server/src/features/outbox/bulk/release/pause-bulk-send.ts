import { type Db, inTransaction } from '#platform/db/database.ts';
import { countUnderWay, lockForCancel } from '../cancel/cancel-queries.ts';
import type { SendKey } from '../bulk-send.ts';
import { type PausedBy, pauseSend } from '../../pause/pause-send.ts';

const BY_A_PERSON = 'Somebody has paused it. It goes on when it is resumed.';

/**
 * Pauses a bulk send as a person (`by`) says: nothing of it is claimed after the commit. `alreadyQueued` emails,
 * exactly, are being handed over at this moment. undefined: there is no such send, it is cancelled, or paused already.
 */
export const pauseBulkSend = (db: Db, key: SendKey, by: PausedBy): Promise<{ alreadyQueued: number } | undefined> =>
  inTransaction(db, async (tx) => {
    const state = await lockForCancel(tx, key);
    if (state === undefined || state === 'cancelling' || state === 'cancelled') return undefined;
    if (!(await pauseSend(tx, key.workspaceId, key.sendId, BY_A_PERSON, { by }))) return undefined;
    return { alreadyQueued: await countUnderWay(tx, key) };
  });
