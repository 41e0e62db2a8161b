import type { Db } from '#platform/db/database.ts';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { ApiKey } from './api-key.ts';
import { findApiKey, lockApiKey } from './queries.ts';

export async function getApiKey(ctx: Ctx, id: string): Promise<ApiKey> {
  const key = await findApiKey(ctx.db, ctx.workspaceId, id.toLowerCase());
  if (key === undefined) throw notFound('API key', id);
  return key;
}

/** Held until the transaction ends. A revoked key is not changed any more. */
export async function lockLiveKey(tx: Db, workspaceId: string, id: string): Promise<ApiKey> {
  const key = await lockApiKey(tx, workspaceId, id.toLowerCase());
  if (key === undefined) throw notFound('API key', id);
  if (key.revokedAt !== null) throw conflict('This key is revoked.');
  return key;
}
