import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { forgetChanges } from './bulk/change-queries.ts';
import type { Contact } from './contact.ts';
import { getLockedContact } from './get-contact.ts';
import { getLockedList } from './lists/change-lists.ts';
import { endMembership } from './lists/member-queries.ts';
import { updateContacts } from './queries.ts';

/** The contact wants no mail to many, or none of one list. A repetition changes nothing, and keeps the first time. */
export async function unsubscribeContact(ctx: Ctx, name: string, listId: string | null): Promise<Contact> {
  return inTransaction(ctx.db, async (tx) => {
    const contact = await getLockedContact(ctx, tx, name);
    const at = ctx.clock.now();
    if (listId !== null) {
      await getLockedList(ctx, tx, listId);
      await endMembership(tx, { workspaceId: ctx.workspaceId, listId }, { contactId: contact.id, at });
      return contact;
    }
    await forgetChanges(tx, ctx.workspaceId, [contact.id]);
    if (contact.unsubscribedAt !== null) return contact;
    const changed = { ...contact, unsubscribedAt: at, updatedAt: at };
    await updateContacts(tx, ctx.workspaceId, [changed]);
    return changed;
  });
}
