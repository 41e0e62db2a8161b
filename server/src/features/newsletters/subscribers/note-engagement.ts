import type { HumanEngagement } from '#features/feedback';
import type { Db } from '#platform/db/database.ts';
import { markEngaged } from './engagement-queries.ts';

/** When a subscriber last read something, in the transaction that counts the open or click. */
export const noteEngagement = (tx: Db, engaged: readonly HumanEngagement[]): Promise<void> => markEngaged(tx, engaged);
