import { identityOf } from '#mail/addresses/addresses.ts';
import type { Clock } from '#platform/clock.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { bySystem, recordAccountEvent } from '../../security-log/record-security-event.ts';
import { generatePassword } from './generate-password.ts';
import { hashPassword } from './password-hash.ts';
import { deleteTokensOfPassword, findUserByEmail, updatePasswordHash } from '../queries.ts';
import { endSessionsOfUser } from '../sessions/session-queries.ts';

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
  const password = chosen ?? generatePassword();
  const passwordHash = await hashPassword(password);
  return inTransaction(deps.db, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (user === undefined) return undefined;
    const now = deps.clock.now();
    await updatePasswordHash(tx, user.id, passwordHash, now);
    await deleteTokensOfPassword(tx, user.id);
    const ended = await endSessionsOfUser(tx, user.id, { reason: 'password_reset', now });
    await recordAccountEvent(tx, bySystem(deps.clock), user.id, {
      action: 'user.password_reset',
      targetType: 'user',
      targetId: user.id,
      details: { by: 'command line', sessions_ended: ended },
    });
    return { email, password };
  });
}
