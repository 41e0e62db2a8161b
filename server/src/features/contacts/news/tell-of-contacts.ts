import type { Db } from '#platform/db/database.ts';
import type { Actor } from '#platform/http/context.ts';
import { contactsCreated, contactsJoinedList, type ContactNews, contactsUpdated } from '../announcements.ts';

interface Told {
  id: string;
  email: string;
}

/** Whose contacts they are, and who changed them: of an import or a bulk change, the caller who asked for it. */
interface Change {
  workspaceId: string;
  actor: Pick<Actor, 'mode'>;
}

const newsOf =
  ({ workspaceId, actor }: Change) =>
  ({ id, email }: Told): ContactNews => ({ workspaceId, contactId: id, email, sandbox: actor.mode === 'test' });

export async function tellCreated(tx: Db, change: Change, contacts: readonly Told[]): Promise<void> {
  if (contacts.length > 0) await contactsCreated.announce(tx, contacts.map(newsOf(change)));
}

export async function tellUpdated(tx: Db, change: Change, contacts: readonly Told[]): Promise<void> {
  if (contacts.length > 0) await contactsUpdated.announce(tx, contacts.map(newsOf(change)));
}

/** Of these contacts, those whose ids are in `added` are on the list by it. */
export async function tellJoined(
  tx: Db,
  { listId, ...change }: Change & { listId: string },
  contacts: readonly Told[],
  added: readonly string[],
): Promise<void> {
  const wanted = new Set(added);
  const joined = contacts.filter(({ id }) => wanted.has(id)).map(newsOf(change));
  if (joined.length > 0) {
    await contactsJoinedList.announce(
      tx,
      joined.map((one) => ({ ...one, listId })),
    );
  }
}
