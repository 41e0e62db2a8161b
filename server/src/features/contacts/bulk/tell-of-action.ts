import type { Db } from '#platform/db/database.ts';
import { contactsUnsubscribed } from '../announcements.ts';
import { tellJoined, tellUpdated } from '../news/tell-of-contacts.ts';
import type { BulkJob } from './bulk-job.ts';
import type { BulkChange } from './change-queries.ts';

/** Tells other features of the contacts of a page that an action has changed, in its transaction. */
export async function tellOfAction(
  tx: Db,
  { workspaceId, action: { type, list_id: listId = '' }, mode }: Pick<BulkJob, 'workspaceId' | 'action' | 'mode'>,
  changes: readonly BulkChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const change = { workspaceId, actor: { mode } };
  const contacts = changes.map(({ contactId: id, email }) => ({ id, email }));
  switch (type) {
    case 'add_to_list': {
      const added = contacts.map(({ id }) => id);
      return tellJoined(tx, { ...change, listId }, contacts, added);
    }
    case 'unsubscribe': {
      const news = contacts.map(({ id: contactId }) => ({ workspaceId, contactId }));
      await contactsUnsubscribed.announce(tx, news);
      return tellUpdated(tx, change, contacts);
    }
    case 'update':
      return tellUpdated(tx, change, contacts);
    default:
  }
}
