import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction, onCommit } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { notifyKeyChange, lockApiKey, updateApiKey } from './queries.ts';
import type { KeyPorts } from './wiring.ts';

/** Ends a key at once. Ending it again changes nothing. */
export async function revokeApiKey(ctx: Ctx, id: string, ports: KeyPorts): Promise<void> {
  const now = ctx.clock.now();
  await inTransaction(ctx.db, async (tx) => {
    const key = await lockApiKey(tx, ctx.workspaceId, id.toLowerCase());
    if (key === undefined) throw notFound('API key', id);
    if (key.revokedAt !== null) return;
    await updateApiKey(tx, { ...key, revokedAt: now }, now);
    await notifyKeyChange(tx, key.id);
    await recordSecurityEvent(tx, ctx, {
      action: 'api_key.revoked',
      targetType: 'api_key',
      targetId: key.id,
      details: { name: key.name, prefix: key.prefix },
    });
  });
  onCommit(ctx.db, ports.keysChanged);
}
