import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction, onCommit } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { ApiKey } from './api-key.ts';
import { creatorOf, ownKey, storeKey } from './create-api-key.ts';
import { lockLiveKey } from './get-api-key.ts';
import { refuseBeyondOwn } from './grants.ts';
import { generateKey } from './key-format.ts';
import { notifyKeyChange, updateApiKey } from './queries.ts';
import type { KeyPorts } from './wiring.ts';

/**
 * Makes a key that may do the same, and lets the old one die after a grace. The new secret is shown to the caller, who
 * must therefore be able to do all of it already: rotating a stronger key would be taking it over.
 */
export async function rotateApiKey(
  ctx: Ctx,
  id: string,
  graceSeconds: number,
  ports: KeyPorts,
): Promise<{ record: ApiKey; key: string }> {
  const now = ctx.clock.now();
  const rotated = await inTransaction(ctx.db, async (tx) => {
    const old = await lockLiveKey(tx, ctx.workspaceId, id);
    refuseBeyondOwn(ctx.actor, await ownKey(tx, ctx.actor), old);
    const key = generateKey(old.mode);
    const record = await storeKey(tx, {
      ...grantOf(old),
      key,
      now,
      createdBy: creatorOf(ctx.actor),
      rotatedFrom: old.id,
    });
    const diesAt = new Date(now.getTime() + graceSeconds * 1_000);
    const ended =
      graceSeconds === 0
        ? { ...old, revokedAt: now }
        : { ...old, expiresAt: old.expiresAt !== null && old.expiresAt < diesAt ? old.expiresAt : diesAt };
    await updateApiKey(tx, ended, now);
    await notifyKeyChange(tx, old.id);
    await recordSecurityEvent(tx, ctx, {
      action: 'api_key.rotated',
      targetType: 'api_key',
      targetId: old.id,
      details: { new_id: record.id, new_prefix: record.prefix, grace_seconds: graceSeconds },
    });
    return { record, key };
  });
  onCommit(ctx.db, ports.keysChanged);
  return rotated;
}

const grantOf = (key: ApiKey) => ({
  workspaceId: key.workspaceId,
  name: key.name,
  scopes: key.scopes,
  domainIds: key.domainIds,
  newsletterIds: key.newsletterIds,
  allowedIps: key.allowedIps,
  mode: key.mode,
  limits: key.limits,
  expiresAt: key.expiresAt,
});
