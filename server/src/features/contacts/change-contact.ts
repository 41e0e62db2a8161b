import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { hashOfAddress } from '#features/consents';
import { recordSecurityEvent } from '#features/workspaces';
import { readAddress } from '#mail/addresses/read-address.ts';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { contactsUnsubscribed } from './announcements.ts';
import { forgetChanges } from './bulk/change-queries.ts';
import type { Contact } from './contact.ts';
import { describe } from './contact-input.ts';
import { declareProperties } from './properties/declare-properties.ts';
import { getLockedContact } from './get-contact.ts';
import { ALL_MAIL } from './opt-outs/opt-out.ts';
import { deleteOptOut, insertOptOuts, listOptOuts } from './opt-outs/opt-out-queries.ts';
import { moveContact, updateContacts } from './queries.ts';
import type { UpdateContactBody } from './schemas.ts';
import { tellUpdated } from './news/tell-of-contacts.ts';

type Change = Static<typeof UpdateContactBody>;

/**
 * Changes what is given and nothing else. A new address keeps the history of the contact and whether it wants mail; a
 * suppression stays with the old address. Throws 409 (param `email`) when another contact has the address, and 422 for
 * a property of another type.
 */
export async function changeContact(ctx: Ctx, name: string, change: Change): Promise<Contact> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const before = await getLockedContact(ctx, tx, name);
    const [fault] = await declareProperties(inside, [change.properties ?? {}]);
    if (fault != null) throw fault;
    const at = ctx.clock.now();
    if (change.unsubscribed === true) await forgetChanges(tx, ctx.workspaceId, [before.id]);
    const moved = change.email === undefined ? before : await changeAddress(inside, before, change.email, at);
    const after: Contact = {
      ...moved,
      ...describe(moved, change),
      unsubscribedAt: await changedConsent(inside, moved, change.unsubscribed, at),
    };
    if (isDeepStrictEqual(after, before)) return before;
    const changed = { ...after, updatedAt: at };
    await updateContacts(tx, ctx.workspaceId, [changed]);
    if (moved.unsubscribedAt === null && changed.unsubscribedAt !== null) {
      await contactsUnsubscribed.announce(tx, [{ workspaceId: ctx.workspaceId, contactId: changed.id }]);
    }
    await tellUpdated(tx, ctx, [changed]);
    return changed;
  });
}

/** A person who wants no mail wants none at either address. */
async function changeAddress(ctx: Ctx, before: Contact, address: string, at: Date): Promise<Contact> {
  const email = readAddress(address).identity;
  if (email === before.email) return before;
  if (!(await moveContact(ctx.db, before, { email, at }))) {
    throw conflict('Another contact of this workspace has this address.', 'email');
  }
  const [optOut] = await listOptOuts(ctx.db, ctx.workspaceId, [hashOfAddress(ctx.secrets, email)]);
  const { unsubscribedAt } = before;
  if (unsubscribedAt !== null) {
    const addressHash = hashOfAddress(ctx.secrets, before.email);
    await insertOptOuts(ctx.db, ctx.workspaceId, [{ addressHash, listId: ALL_MAIL, unsubscribedAt, erased: false }]);
  }
  return { ...before, email, unsubscribedAt: unsubscribedAt ?? optOut?.unsubscribedAt ?? null };
}

/** To subscribe somebody again is a statement about that person, and is logged. */
async function changedConsent(
  ctx: Ctx,
  { id, email, unsubscribedAt }: Contact,
  unsubscribed: boolean | undefined,
  at: Date,
): Promise<Date | null> {
  if (unsubscribed === undefined) return unsubscribedAt;
  if (unsubscribed) return unsubscribedAt ?? at;
  if (unsubscribedAt === null) return null;
  await deleteOptOut(ctx.db, ctx.workspaceId, hashOfAddress(ctx.secrets, email));
  await recordSecurityEvent(ctx.db, ctx, {
    action: 'contact.resubscribed',
    targetType: 'contact',
    targetId: id,
    details: { unsubscribed_at: unsubscribedAt },
  });
  return null;
}
