import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { contactsUnsubscribed } from './announcements.ts';
import { forgetChanges } from './bulk/change-queries.ts';
import type { Contact } from './contact.ts';
import { getLockedContact } from './get-contact.ts';
import { getLockedList } from './lists/change-lists.ts';
import { endMemberships, resumeMembership } from './lists/member-queries.ts';
import { updateContacts } from './queries.ts';
import { tellUpdated } from './news/tell-of-contacts.ts';

/** The contact wants no mail to many, or none of one list. A repetition changes nothing, and keeps the first time. */
export async function unsubscribeContact(ctx: Ctx, name: string, listId: string | null): Promise<Contact> {
  return inTransaction(ctx.db, async (tx) => {
    const contact = await getLockedContact(ctx, tx, name);
    const at = ctx.clock.now();
    if (listId !== null) {
      await getLockedList(ctx, tx, listId);
      await endMemberships(tx, { workspaceId: ctx.workspaceId, listId }, { contactIds: [contact.id], at });
      return contact;
    }
    await forgetChanges(tx, ctx.workspaceId, [contact.id]);
    if (contact.unsubscribedAt !== null) return contact;
    const changed = { ...contact, unsubscribedAt: at, updatedAt: at };
    await updateContacts(tx, ctx.workspaceId, [changed]);
    await contactsUnsubscribed.announce(tx, [{ workspaceId: ctx.workspaceId, contactId: contact.id }]);
    await tellUpdated(tx, ctx, [changed]);
    return changed;
  });
}

/** The person is on a list again that they left after `since`. False: they did not. */
export const rejoinList = (
  { db, workspaceId }: Pick<Ctx, 'db' | 'workspaceId'>,
  contactId: string,
  { listId, since }: { listId: string; since: Date },
): Promise<boolean> => resumeMembership(db, { workspaceId, listId }, { contactId, since });
