import { randomBytes } from 'node:crypto';
import { identityOf } from '#mail/addresses.ts';
import type { Clock } from '#platform/clock.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { hashPassword } from './accounts/password-hash.ts';
import { findUserByEmail, insertUser, updatePasswordHash } from './accounts/queries.ts';
import { endSessionsOfUser } from './accounts/session-queries.ts';
import { addWorkspace } from './create-workspace.ts';
import { findHomeWorkspace, lockFirstStart } from './queries.ts';
import { recordAccountEvent, recordSecurityEvent } from './security-log/record-security-event.ts';

const DEFAULT_EMAIL = 'admin@posthorn.test';
const GENERATED_BYTES = 15; // 20 characters, 120 bits

export interface FirstWorkspace {
  workspaceId: string;
  userId: string;
  email: string;
  password: string;
  /** False when the operator chose the password and need not be told it. */
  passwordIsGenerated: boolean;
}

const system = (clock: Clock) => ({ actor: { type: 'system', id: null, email: null }, ip: null, clock }) as const;

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
  const password = deps.settings.adminPassword ?? randomBytes(GENERATED_BYTES).toString('base64url');
  const passwordHash = await hashPassword(password);
  const user = await insertUser(tx, { id: newId(), email, name: null, passwordHash, emailVerifiedAt: now, now });
  if (user === undefined)
    throw new Error('there is a user, but no home workspace: this database is not ours to set up');
  const workspace = await addWorkspace(tx, { name: 'Home', ownerId: user.id, isHome: true, now });
  await recordSecurityEvent(
    tx,
    { ...system(deps.clock), workspaceId: workspace.id },
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

/**
 * `posthorn admin reset-password`: the way back in that needs no mail. Sets a new password, ends every session and
 * returns what to print once; undefined when nobody has this address.
 */
export async function resetPasswordByAdmin(
  deps: { db: Db; clock: Clock },
  emailText: string,
  chosen?: string,
): Promise<{ email: string; password: string } | undefined> {
  const email = identityOf(emailText.trim());
  const password = chosen ?? randomBytes(GENERATED_BYTES).toString('base64url');
  const passwordHash = await hashPassword(password);
  return inTransaction(deps.db, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (user === undefined) return undefined;
    const now = deps.clock.now();
    await updatePasswordHash(tx, user.id, passwordHash, now);
    const ended = await endSessionsOfUser(tx, user.id, { reason: 'password_reset', now });
    await recordAccountEvent(tx, system(deps.clock), user.id, {
      action: 'user.password_reset',
      targetType: 'user',
      targetId: user.id,
      details: { by: 'command line', sessions_ended: ended },
    });
    return { email, password };
  });
}
