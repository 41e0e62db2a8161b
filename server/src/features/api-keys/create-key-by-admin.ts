import { bySystem, recordSecurityEvent } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { limitsOfSettings, storeKey } from './create-api-key.ts';
import { generateKey } from './key-format.ts';

/** `posthorn admin create-key`: the way back in when the first key is lost. Returns what to print once. */
export async function createKeyByAdmin(
  { db, clock, settings }: { db: Db; clock: Clock; settings: Settings },
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<string> {
  const key = generateKey('live');
  await inTransaction(db, async (tx) => {
    const stored = await storeKey(tx, {
      workspaceId,
      name,
      scopes: ['*'],
      domainIds: [],
      newsletterIds: [],
      allowedIps: [],
      mode: 'live',
      limits: limitsOfSettings(settings),
      expiresAt: null,
      createdBy: null,
      key,
      now: clock.now(),
    });
    await recordSecurityEvent(
      tx,
      { ...bySystem(clock), workspaceId },
      {
        action: 'api_key.created',
        targetType: 'api_key',
        targetId: stored.id,
        details: { by: 'command line', name: stored.name, prefix: stored.prefix, scopes: stored.scopes, mode: 'live' },
      },
    );
  });
  return key;
}
