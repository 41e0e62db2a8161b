import { inTransaction } from '#platform/db/database.ts';
import { conflict, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../../security-log/record-security-event.ts';
import type { SendSystemMail } from '../../wiring.ts';
import { emailWasChangedMail } from '../account-mails.ts';
import { findUser, lockUser } from '../queries.ts';
import { actorOfUser } from '../user.ts';
import { hashOfLinkToken } from '../user-token.ts';
import { deleteMailedTokens, findUserOfAddressToken, updateEmail, useAddressToken } from './queries.ts';

/**
 * Changes the address of an account with the link that was mailed to the new one, and tells the old one. Links that
 * were mailed to the old address end. Sessions go on: the person proved themselves with their password.
 */
export async function confirmEmailChange(ctx: Ctx, token: string, sendSystemMail: SendSystemMail): Promise<void> {
  const now = ctx.clock.now();
  await inTransaction(ctx.db, async (tx) => {
    const hash = hashOfLinkToken(token);
    // The account before its links, as for every change of them: two that wait for each other would never end.
    const userId = hash === undefined ? undefined : await findUserOfAddressToken(tx, hash);
    if (userId !== undefined) await lockUser(tx, userId);
    const used = hash === undefined ? undefined : await useAddressToken(tx, hash, now);
    const before = used === undefined ? undefined : await findUser(tx, used.userId);
    if (used === undefined || before === undefined) {
      throw unacceptable('token', 'This link is not valid: it was used, has expired, or is incomplete. Ask again.');
    }
    if (!(await updateEmail(tx, before.id, used.newEmail, now))) {
      throw conflict('Another account has this address, so yours keeps the old one.', 'token');
    }
    await deleteMailedTokens(tx, before.id);
    await recordAccountEvent(tx, { ...ctx, actor: actorOfUser(before) }, before.id, {
      action: 'user.email_changed',
      targetType: 'user',
      targetId: before.id,
      details: { before: before.email, after: used.newEmail },
    });
    await sendSystemMail({ ...ctx, db: tx }, emailWasChangedMail(before.email, used.newEmail));
  });
}
