import type { Db } from '#platform/db/database.ts';
import { contactsCreated, contactsJoinedList, type ContactNews, contactsUpdated } from '../announcements.ts';

interface Told {
  id: string;
  email: string;
}

const newsOf =
  (workspaceId: string) =>
  ({ id, email }: Told): ContactNews => ({ workspaceId, contactId: id, email });

export async function tellCreated(tx: Db, workspaceId: string, contacts: readonly Told[]): Promise<void> {
  if (contacts.length > 0) await contactsCreated.announce(tx, contacts.map(newsOf(workspaceId)));
}

export async function tellUpdated(tx: Db, workspaceId: string, contacts: readonly Told[]): Promise<void> {
  if (contacts.length > 0) await contactsUpdated.announce(tx, contacts.map(newsOf(workspaceId)));
}

/** Of these contacts, those whose ids are in `added` are on the list by it. */
export async function tellJoined(
  tx: Db,
  { workspaceId, listId }: { workspaceId: string; listId: string },
  contacts: readonly Told[],
  added: readonly string[],
): Promise<void> {
  const wanted = new Set(added);
  const joined = contacts.filter(({ id }) => wanted.has(id)).map(newsOf(workspaceId));
  if (joined.length > 0) {
    await contactsJoinedList.announce(
      tx,
      joined.map((one) => ({ ...one, listId })),
    );
  }
}
