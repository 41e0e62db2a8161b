import { recordSecurityEvent } from '#features/workspaces';
import { type Db, inTransaction, onCommit } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import type { ApiKey, KeyLimits } from './api-key.ts';
import { ownKey } from './create-api-key.ts';
import { lockLiveKey } from './get-api-key.ts';
import { refuseBeyondOwn } from './grants.ts';
import { readExpiry, readIds, readIpRanges, readLimits, readScopes } from './key-input.ts';
import { notifyKeyChange, updateApiKey } from './queries.ts';
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

const FIELDS = [
  'name',
  'scopes',
  'domainIds',
  'newsletterIds',
  'allowedIps',
  'expiresAt',
  'limits',
  'enabled',
] as const;

/** Changes what a key may do. Neither before nor after may it be able to do more than whoever changes it. */
export async function changeApiKey(ctx: Ctx, id: string, input: ChangeApiKey, ports: KeyPorts): Promise<ApiKey> {
  const now = ctx.clock.now();
  const changed = await inTransaction(ctx.db, async (tx) => {
    const key = await lockLiveKey(tx, ctx.workspaceId, id);
    const own = await ownKey(tx, ctx.actor);
    refuseBeyondOwn(ctx.actor, own, key);
    const wanted = await applyChange(tx, key, input, ports, now);
    refuseBeyondOwn(ctx.actor, own, wanted);
    const changes = changedFields(key, wanted, FIELDS);
    if (changes === null) return key;
    const stored = await updateApiKey(tx, wanted, now);
    await notifyKeyChange(tx, stored.id);
    await recordSecurityEvent(tx, ctx, {
      action: 'api_key.updated',
      targetType: 'api_key',
      targetId: stored.id,
      details: { changes },
    });
    return stored;
  });
  onCommit(ctx.db, ports.keysChanged);
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
