import type { PausedSend } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { deleteBulkHealth } from './bulk-health-queries.ts';

/**
 * A person who resumes a paused send has seen its figures: it is judged anew by what happens from then on. A send that
 * goes on by itself keeps them.
 */
export const forgetBulkHealth = async (
  tx: Db,
  { workspaceId, sendId, byItself }: PausedSend & { byItself: boolean },
): Promise<void> => {
  if (!byItself) await deleteBulkHealth(tx, workspaceId, sendId);
};
