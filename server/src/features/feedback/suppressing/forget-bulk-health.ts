import type { PausedSend } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { deleteBulkHealth } from './bulk-health-queries.ts';

/** A person who resumes a paused send has seen its figures: it is judged anew by what happens from then on. */
export const forgetBulkHealth = (tx: Db, { workspaceId, sendId }: PausedSend): Promise<void> =>
  deleteBulkHealth(tx, workspaceId, sendId);
