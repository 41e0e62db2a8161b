import { suppressedAmong } from '#features/suppressions';
import { AddressError, identityOf } from '#mail/addresses/addresses.ts';
import type { Db } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { type Contact, contactView } from './contact.ts';
import { listsOfContacts } from './lists/member-queries.ts';
import { type ContactName, findContact, lockContact } from './queries.ts';

type Asking = Pick<Ctx, 'db' | 'workspaceId'>;

/** An id, or the identity of an address; null: it is neither. */
export function contactName(text: string): ContactName | null {
  if (isUuid(text)) return { id: text };
  try {
    return { email: identityOf(text.trim()) };
  } catch (error) {
    if (error instanceof AddressError) return null;
    throw error;
  }
}

/** The contact with this id or address. */
export async function getContact({ db, workspaceId }: Asking, name: string): Promise<Contact> {
  const by = contactName(name);
  return found(by === null ? undefined : await findContact(db, workspaceId, by), name);
}

/** The same, held until the transaction ends. */
export async function getLockedContact({ workspaceId }: Asking, tx: Db, name: string): Promise<Contact> {
  const by = contactName(name);
  return found(by === null ? undefined : await lockContact(tx, workspaceId, by), name);
}

function found(contact: Contact | undefined, name: string): Contact {
  if (contact === undefined) throw notFound('contact', name);
  return contact;
}

/** The contacts of a page as they are shown: what stands elsewhere is looked up once for all. */
export async function viewsOf({ db, workspaceId }: Asking, contacts: readonly Contact[]) {
  const suppressed = await suppressedAmong(
    db,
    workspaceId,
    contacts.map(({ email }) => email),
  );
  const listIds = await listsOfContacts(
    db,
    workspaceId,
    contacts.map(({ id }) => id),
  );
  return contacts.map((contact) =>
    contactView(contact, { isSuppressed: suppressed.has(contact.email), listIds: listIds.get(contact.id) ?? [] }),
  );
}

export async function viewOf(ctx: Asking, contact: Contact) {
  const [view] = await viewsOf(ctx, [contact]);
  if (view === undefined) throw new Error('a contact has a view');
  return view;
}

/** A contact for those who have a link of its own; undefined: it is gone. */
export const findContactById = (db: Asking['db'], workspaceId: string, id: string): Promise<Contact | undefined> =>
  findContact(db, workspaceId, { id });

/** The same by the identity of an address. */
export const findContactByEmail = (db: Asking['db'], workspaceId: string, email: string) =>
  findContact(db, workspaceId, { email });
