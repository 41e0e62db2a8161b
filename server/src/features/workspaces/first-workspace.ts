import { identityOf } from '#mail/addresses/addresses.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { generatePassword } from './accounts/passwords/generate-password.ts';
import { hashPassword } from './accounts/passwords/password-hash.ts';
import { insertUser } from './accounts/queries.ts';
import { addWorkspace } from './create-workspace.ts';
import { findHomeWorkspace, lockFirstStart } from './queries.ts';
import { bySystem, recordSecurityEvent } from './security-log/record-security-event.ts';

/** Of a workspace that nobody has named yet. */
export const FIRST_NAME = 'Home';
const DEFAULT_EMAIL = 'admin@posthorn.test';

export interface FirstWorkspace {
  workspaceId: string;
  userId: string;
  email: string;
  password: string;
  /** False when the operator chose the password and need not be told it. */
  passwordIsGenerated: boolean;
}

/**
 * Makes owner and home workspace of an installation that has none, in the caller's transaction; undefined when there is
 * one. Processes that start together wait here for each other, and all but the first find it done.
 */
export async function createHomeWorkspace(
  tx: Db,
  deps: { clock: Clock; settings: { adminEmail: string | null; adminPassword: string | null } },
): Promise<FirstWorkspace | undefined> {
  await lockFirstStart(tx);
  if ((await findHomeWorkspace(tx)) !== undefined) return undefined;
  const now = deps.clock.now();
  const email = identityOf(deps.settings.adminEmail ?? DEFAULT_EMAIL);
  const password = deps.settings.adminPassword ?? generatePassword();
  const passwordHash = await hashPassword(password);
  const user = await insertUser(tx, { id: newId(), email, name: null, passwordHash, emailVerifiedAt: now, now });
  if (user === undefined)
    throw new Error('there is a user, but no home workspace: this database is not ours to set up');
  const workspace = await addWorkspace(tx, { name: FIRST_NAME, ownerId: user.id, isHome: true, now });
  await recordSecurityEvent(
    tx,
    { ...bySystem(deps.clock), workspaceId: workspace.id },
    { action: 'workspace.created', targetType: 'workspace', targetId: workspace.id, details: { first_start: true } },
  );
  return {
    workspaceId: workspace.id,
    userId: user.id,
    email,
    password,
    passwordIsGenerated: deps.settings.adminPassword === null,
  };
}
