import { hashOfAddress } from '#features/consents';
import { findWorkspaceWords } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { forgetChanges, forgetChangesOfAddresses } from '../bulk/change-queries.ts';
import { findContact } from '../queries.ts';
import { unsubscribeContact } from '../unsubscribe-contact.ts';
import { ALL_MAIL } from '../opt-outs/opt-out.ts';
import { awaitAdditions, insertOptOuts, listOptOuts } from '../opt-outs/opt-out-queries.ts';

/** Somebody who holds a link of mail to a contact that is gone, or has another address by now. */
export interface FormerContact {
  contactId: string;
  /** The identity of the address that the link was mailed to; null: nobody knows it any more. */
  email: string | null;
}

/**
 * The person at this address wants no mail to many. A keyed hash of the address stays (decision 0131), so that no
 * import, no request and no undo of a deletion mails them; a contact with the address is unsubscribed. A repetition
 * changes nothing. False: they had left before, or nothing is known of them.
 */
export async function optOutAddress(ctx: Ctx, { contactId, email }: FormerContact): Promise<boolean> {
  const { workspaceId } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    await awaitAdditions(tx, workspaceId);
    await forgetChanges(tx, workspaceId, [contactId]);
    // Nobody mails for a workspace that is deleted.
    if (email === null || (await findWorkspaceWords(tx, workspaceId)) === undefined) return false;
    await forgetChangesOfAddresses(tx, workspaceId, [email]);
    const addressHash = hashOfAddress(ctx.secrets, email);
    const [before] = await listOptOuts(tx, workspaceId, [addressHash]);
    const unsubscribedAt = ctx.clock.now();
    await insertOptOuts(tx, workspaceId, [{ addressHash, listId: ALL_MAIL, unsubscribedAt, erased: false }]);
    const held = await findContact(tx, workspaceId, { email });
    if (held !== undefined) await unsubscribeContact({ ...ctx, db: tx }, held.id, null);
    return before === undefined && (held?.unsubscribedAt ?? null) === null;
  });
}

/** An address without a contact whose person wants no mail to many. */
export async function hasOptedOut({ db, workspaceId, secrets }: Ctx, email: string): Promise<boolean> {
  return (await listOptOuts(db, workspaceId, [hashOfAddress(secrets, email)])).length > 0;
}
