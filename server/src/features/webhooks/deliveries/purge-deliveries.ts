import type { Db } from '#platform/db/database.ts';
import { deletePageOfWebhookRows } from './queries/retention.ts';

/**
 * Removes a page of what a deleted workspace left here; its endpoints went with it. Less than a page: nothing is
 * left.
 */
export async function purgeDeliveries(db: Db, workspaceId: string, page: number): Promise<number> {
  return deletePageOfWebhookRows(db, workspaceId, page);
}
