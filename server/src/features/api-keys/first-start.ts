import { createHomeWorkspace } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { limitsOfSettings, storeKey } from './create-api-key.ts';
import { generateKey, partsOfKey } from './key-format.ts';

export interface FirstStart {
  workspaceId: string;
  email: string;
  /** Null when a setting fixed it. */
  password: string | null;
  apiKey: string | null;
}

/**
 * Sets up an empty installation: owner, home workspace, one key that may do everything. All of it or nothing, once,
 * however many processes start together; undefined when it was done before. The returned values are to be printed: a
 * generated password or key cannot be read again.
 */
export async function createFirstWorkspace(deps: {
  db: Db;
  clock: Clock;
  settings: Settings;
}): Promise<FirstStart | undefined> {
  return inTransaction(deps.db, async (tx) => {
    const home = await createHomeWorkspace(tx, deps);
    if (home === undefined) return undefined;
    const key = deps.settings.apiKey ?? generateKey('live');
    await storeKey(tx, {
      workspaceId: home.workspaceId,
      name: 'First key',
      scopes: ['*'],
      domainIds: [],
      newsletterIds: [],
      allowedIps: [],
      mode: partsOfKey(key).mode,
      limits: limitsOfSettings(deps.settings),
      expiresAt: null,
      createdBy: home.userId,
      key,
      now: deps.clock.now(),
    });
    return {
      workspaceId: home.workspaceId,
      email: home.email,
      password: home.passwordIsGenerated ? home.password : null,
      apiKey: deps.settings.apiKey === null ? key : null,
    };
  });
}
