import { recordSecurityEvent } from '#features/workspaces';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { ApiKey, KeyLimits } from './api-key.ts';
import { creatorOf, ownKey, storeKey } from './create-api-key.ts';
import { refuseBeyondOwn } from './grants.ts';
import { generateKey } from './key-format.ts';
import { readExpiry, readIds, readIpRanges, readLimits, readScopes } from './key-input.ts';
import { announceKeyChange, findApiKey, lockApiKey, updateApiKey } from './queries.ts';
import type { KeyPorts } from './wiring.ts';

export interface ChangeApiKey {
  name?: string;
  scopes?: readonly string[];
  domain_ids?: readonly string[];
  newsletter_ids?: readonly string[];
  allowed_ips?: readonly string[];
  expires_at?: string | null;
  limits?: Partial<KeyLimits>;
  enabled?: boolean;
}

export async function getApiKey(ctx: Ctx, id: string): Promise<ApiKey> {
  const key = await findApiKey(ctx.db, ctx.workspaceId, id.toLowerCase());
  if (key === undefined) throw notFound('API key', id);
  return key;
}

/** Changes what a key may do. Neither before nor after may it be able to do more than whoever changes it. */
export async function changeApiKey(ctx: Ctx, id: string, input: ChangeApiKey, ports: KeyPorts): Promise<ApiKey> {
  const now = ctx.clock.now();
  const changed = await inTransaction(ctx.db, async (tx) => {
    const key = await lockLiveKey(tx, ctx.workspaceId, id);
    const own = await ownKey(tx, ctx.actor);
    refuseBeyondOwn(ctx.actor, own, key);
    const wanted = await applyChange(tx, key, input, ports, now);
    refuseBeyondOwn(ctx.actor, own, wanted);
    const stored = await updateApiKey(tx, wanted, now);
    await announceKeyChange(tx, stored.id);
    await recordSecurityEvent(tx, ctx, {
      action: 'api_key.updated',
      targetType: 'api_key',
      targetId: stored.id,
      details: { ...input },
    });
    return stored;
  });
  ctx.afterCommit(ports.keysChanged);
  return changed;
}

async function applyChange(tx: Db, key: ApiKey, input: ChangeApiKey, ports: KeyPorts, now: Date): Promise<ApiKey> {
  const { workspaceId } = key;
  const ids = (
    param: string,
    given: readonly string[] | undefined,
    current: string[],
    find: KeyPorts['missingDomains'],
  ) => (given === undefined ? current : readIds(param, given, (asked) => find(tx, workspaceId, asked)));
  return {
    ...key,
    name: input.name ?? key.name,
    scopes: input.scopes === undefined ? key.scopes : readScopes(input.scopes),
    domainIds: await ids('domain_ids', input.domain_ids, key.domainIds, ports.missingDomains),
    newsletterIds: await ids('newsletter_ids', input.newsletter_ids, key.newsletterIds, ports.missingNewsletters),
    allowedIps: input.allowed_ips === undefined ? key.allowedIps : readIpRanges(input.allowed_ips),
    expiresAt: input.expires_at === undefined ? key.expiresAt : readExpiry(input.expires_at, now),
    limits: readLimits(input.limits, key.limits),
    enabled: input.enabled ?? key.enabled,
  };
}

/** Ends a key at once. Ending it again changes nothing. */
export async function revokeApiKey(ctx: Ctx, id: string, ports: KeyPorts): Promise<void> {
  const now = ctx.clock.now();
  await inTransaction(ctx.db, async (tx) => {
    const key = await lockApiKey(tx, ctx.workspaceId, id.toLowerCase());
    if (key === undefined) throw notFound('API key', id);
    if (key.revokedAt !== null) return;
    await updateApiKey(tx, { ...key, revokedAt: now }, now);
    await announceKeyChange(tx, key.id);
    await recordSecurityEvent(tx, ctx, {
      action: 'api_key.revoked',
      targetType: 'api_key',
      targetId: key.id,
      details: { name: key.name, prefix: key.prefix },
    });
  });
  ctx.afterCommit(ports.keysChanged);
}

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
    await announceKeyChange(tx, old.id);
    await recordSecurityEvent(tx, ctx, {
      action: 'api_key.rotated',
      targetType: 'api_key',
      targetId: old.id,
      details: { new_id: record.id, new_prefix: record.prefix, grace_seconds: graceSeconds },
    });
    return { record, key };
  });
  ctx.afterCommit(ports.keysChanged);
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

async function lockLiveKey(tx: Db, workspaceId: string, id: string): Promise<ApiKey> {
  const key = await lockApiKey(tx, workspaceId, id.toLowerCase());
  if (key === undefined) throw notFound('API key', id);
  if (key.revokedAt !== null) throw conflict('This key is revoked.');
  return key;
}
