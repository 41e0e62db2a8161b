import { announcement } from '#platform/announcements.ts';

/** Contacts want no mail to many any more, in the transaction in which they say so. */
export const contactsUnsubscribed = announcement<readonly { workspaceId: string; contactId: string }[]>(
  'contacts.contacts-unsubscribed',
);

/** A contact, as other features are told of it. */
export interface ContactNews {
  workspaceId: string;
  contactId: string;
  /** The identity of the address, as it is now. */
  email: string;
  /** By a test key: what it starts mails nobody. */
  sandbox: boolean;
}

/** Contacts were added: at most a page of one workspace at once, as with all news here. */
export const contactsCreated = announcement<readonly ContactNews[]>('contacts.contacts-created');

/** Fields of contacts have changed, also that they want no mail any more. */
export const contactsUpdated = announcement<readonly ContactNews[]>('contacts.contacts-updated');

/** Contacts are on a list who were not on it before. */
export const contactsJoinedList = announcement<readonly (ContactNews & { listId: string })[]>(
  'contacts.contacts-joined-list',
);

/** Contacts were erased, with all addresses that they had. */
export const contactsErased = announcement<{ workspaceId: string; emails: readonly string[] }>(
  'contacts.contacts-erased',
);
