import type { Db } from '#platform/db/database.ts';
import { insertBatch } from './queries/batches.ts';

/** Records the batch that the following sends of this transaction belong to. */
export async function createBatch(
  ctx: { readonly workspaceId: string; readonly db: Db },
  batch: { id: string; apiKeyId: string | null },
): Promise<void> {
  await insertBatch(ctx.db, ctx.workspaceId, batch);
}
