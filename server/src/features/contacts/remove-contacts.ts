import { hashOfAddress } from '#features/consents';
import { forgetImportedAddresses, rewriteExports } from '#features/transfers';
import { eraseRequests } from '#features/request-log';
import { eraseRecipients } from '#features/scheduled-emails';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { contactsErased } from './announcements.ts';
import { forgetChanges, forgetChangesOfAddresses } from './bulk/change-queries.ts';
import type { Contact } from './contact.ts';
import { getLockedContact } from './get-contact.ts';
import { listsLeft } from './lists/member-queries.ts';
import { ALL_MAIL, type OptOut } from './opt-outs/opt-out.ts';
import { insertOptOuts } from './opt-outs/opt-out-queries.ts';
import { deleteContacts, listFormerAddresses, lockByEmail } from './queries.ts';

/**
 * Deletes a contact. Of one who had unsubscribed, a keyed hash of the address stays, so that they are unsubscribed when
 * the address comes back. `erase`: the person asked to be forgotten, and the hash stays in any case. Returns the id.
 */
export async function removeContact(ctx: Ctx, name: string, { erase }: { erase: boolean }): Promise<string> {
  return inTransaction(ctx.db, async (tx) => {
    const contact = await getLockedContact(ctx, tx, name);
    const asked = { workspaceId: ctx.workspaceId, at: ctx.clock.now(), erase };
    await removeHeld(tx, ctx.secrets, [contact], asked);
    return contact.id;
  });
}

/** Erases the contacts with these addresses, in the transaction that erases their persons elsewhere. */
export async function eraseContacts(
  tx: Db,
  secrets: Secrets,
  asked: { workspaceId: string; emails: readonly string[]; at: Date },
): Promise<void> {
  const contacts = await lockByEmail(tx, asked.workspaceId, asked.emails);
  await forgetChangesOfAddresses(tx, asked.workspaceId, asked.emails);
  if (contacts.length > 0) await removeHeld(tx, secrets, contacts, { ...asked, erase: true });
}

/** Deletes contacts that the transaction holds. */
export async function removeHeld(
  tx: Db,
  secrets: Secrets,
  contacts: readonly Contact[],
  { workspaceId, at, erase }: { workspaceId: string; at: Date; erase: boolean },
): Promise<void> {
  const ids = contacts.map(({ id }) => id);
  const optOuts = contacts.flatMap(({ email, unsubscribedAt }): OptOut[] =>
    unsubscribedAt === null && !erase
      ? []
      : [
          {
            addressHash: hashOfAddress(secrets, email),
            listId: ALL_MAIL,
            unsubscribedAt: unsubscribedAt ?? at,
            erased: erase,
          },
        ],
  );
  await insertOptOuts(tx, workspaceId, [...optOuts, ...(await optOutsOfLists(tx, secrets, workspaceId, contacts))]);
  if (erase) {
    const former = await listFormerAddresses(tx, workspaceId, ids);
    const emails = [...contacts.map(({ email }) => email), ...former];
    await eraseRequests(tx, workspaceId, [...ids, ...emails]);
    await eraseRecipients(tx, workspaceId, emails);
    await forgetChangesOfAddresses(tx, workspaceId, emails);
    await forgetImportedAddresses(tx, workspaceId, emails);
    await rewriteExports(tx, { workspaceId, type: 'list', id: null });
    await contactsErased.announce(tx, { workspaceId, emails });
  }
  await forgetChanges(tx, workspaceId, ids);
  await deleteContacts(tx, workspaceId, ids);
}

async function optOutsOfLists(
  tx: Db,
  secrets: Secrets,
  workspaceId: string,
  contacts: readonly Contact[],
): Promise<OptOut[]> {
  const emails = new Map(contacts.map(({ id, email }) => [id, email]));
  const left = await listsLeft(tx, workspaceId, [...emails.keys()]);
  return left.map(({ contactId, listId, unsubscribedAt }) => ({
    addressHash: hashOfAddress(secrets, emails.get(contactId) ?? ''),
    listId,
    unsubscribedAt,
    erased: false,
  }));
}
