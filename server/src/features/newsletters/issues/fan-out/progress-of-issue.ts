import { bulkSends } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';

/** How the send of an issue stands, and in a sentence why it does not move when it does not; null: it is not sent. */
export const progressOf = (db: Db, workspaceId: string, sendId: string) =>
  bulkSends.progressOf(db, { workspaceId, sendId });
