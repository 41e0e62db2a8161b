import { identityOf } from '#mail/addresses/addresses.ts';
import type { Clock } from '#platform/clock.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { bySystem, recordAccountEvent } from '../../security-log/record-security-event.ts';
import { findUserByEmail } from '../queries.ts';
import { deleteTwoFactor } from './queries.ts';

/** `posthorn admin disable-2fa`, for somebody who has lost phone and codes. Undefined: nobody has this address. */
export async function disableTwoFactorByAdmin(
  deps: { db: Db; clock: Clock },
  emailText: string,
): Promise<{ email: string; wasOn: boolean } | undefined> {
  const email = identityOf(emailText.trim());
  return inTransaction(deps.db, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (user === undefined) return undefined;
    const wasOn = await deleteTwoFactor(tx, user.id);
    if (wasOn) {
      await recordAccountEvent(tx, bySystem(deps.clock), user.id, {
        action: 'user.two_factor_disabled',
        targetType: 'user',
        targetId: user.id,
        details: { by: 'command line' },
      });
    }
    return { email, wasOn };
  });
}
