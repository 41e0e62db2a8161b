import { recordSecurityEvent } from '#features/workspaces';
import { type Db, inTransaction } from '#platform/db/database.ts';
import type { Actor, Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { TIERS } from '#platform/utc-windows.ts';
import type { ApiKey, KeyGrant, KeyLimits } from './api-key.ts';
import { refuseBeyondOwn } from './grants.ts';
import { generateKey, type KeyMode, partsOfKey } from './key-format.ts';
import { readExpiry, readIds, readIpRanges, readLimits, readScopes } from './key-input.ts';
import { notifyKeyChange, findApiKey, insertApiKey } from './queries.ts';
import type { KeyPorts } from './wiring.ts';

export interface CreateApiKey {
  name: string;
  scopes: readonly string[];
  domain_ids?: readonly string[];
  newsletter_ids?: readonly string[];
  allowed_ips?: readonly string[];
  expires_at?: string | null;
  mode?: KeyMode;
  limits?: Partial<KeyLimits>;
}

/** Makes a key. The answer is the only place where it can ever be read. */
export async function createApiKey(
  ctx: Ctx,
  input: CreateApiKey,
  ports: KeyPorts,
): Promise<{ record: ApiKey; key: string }> {
  const now = ctx.clock.now();
  const own = await ownKey(ctx.db, ctx.actor);
  const { workspaceId, db } = ctx;
  const grant: KeyGrant = {
    scopes: readScopes(input.scopes),
    domainIds: await readIds('domain_ids', input.domain_ids ?? [], (ids) => ports.missingDomains(db, workspaceId, ids)),
    newsletterIds: await readIds('newsletter_ids', input.newsletter_ids ?? [], (ids) =>
      ports.missingNewsletters(db, workspaceId, ids),
    ),
    allowedIps: readIpRanges(input.allowed_ips ?? []),
    mode: input.mode ?? 'live',
    limits: readLimits(input.limits, defaultLimits(ctx.settings, own)),
    expiresAt: readExpiry(input.expires_at ?? null, now),
  };
  refuseBeyondOwn(ctx.actor, own, grant);
  const key = generateKey(grant.mode);
  const record = await inTransaction(db, async (tx) => {
    const stored = await storeKey(tx, {
      ...grant,
      workspaceId,
      name: input.name,
      createdBy: creatorOf(ctx.actor),
      key,
      now,
    });
    await recordSecurityEvent(tx, ctx, {
      action: 'api_key.created',
      targetType: 'api_key',
      targetId: stored.id,
      details: { name: stored.name, prefix: stored.prefix, scopes: stored.scopes, mode: stored.mode },
    });
    return stored;
  });
  return { record, key };
}

/** The caller's own key with everything it may do; undefined for a person. */
export async function ownKey(db: Db, actor: Actor): Promise<ApiKey | undefined> {
  if (actor.apiKey === null) return undefined;
  const own = await findApiKey(db, actor.apiKey.workspaceId, actor.apiKey.id);
  if (own === undefined) throw new Error('a key that was just accepted is gone');
  return own;
}

/** The creator of a key: a person. One made with another key has nobody. */
export const creatorOf = (actor: Actor): string | null => (actor.type === 'user' ? actor.id : null);

export async function storeKey(
  tx: Db,
  given: KeyGrant & {
    workspaceId: string;
    name: string;
    createdBy: string | null;
    key: string;
    now: Date;
    rotatedFrom?: string;
  },
): Promise<ApiKey> {
  const { key, now, rotatedFrom, ...rest } = given;
  const stored = await insertApiKey(tx, {
    ...rest,
    id: newId(),
    parts: partsOfKey(key),
    createdAt: now,
    rotatedFrom: rotatedFrom ?? null,
  });
  await notifyKeyChange(tx, stored.id);
  return stored;
}

/** The installation's defaults, but never more than the key has that makes this one. */
function defaultLimits(settings: Ctx['settings'], own: ApiKey | undefined): KeyLimits {
  const limits = limitsOfSettings(settings);
  if (own === undefined) return limits;
  for (const tier of TIERS) {
    if (own.limits[tier] !== 0 && (limits[tier] === 0 || limits[tier] > own.limits[tier]))
      limits[tier] = own.limits[tier];
  }
  return limits;
}

export const limitsOfSettings = (settings: {
  keyLimitHourly: number;
  keyLimitDaily: number;
  keyLimitMonthly: number;
}): KeyLimits => ({
  hourly: settings.keyLimitHourly,
  daily: settings.keyLimitDaily,
  monthly: settings.keyLimitMonthly,
});
