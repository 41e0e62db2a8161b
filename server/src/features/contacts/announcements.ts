import { announcement } from '#platform/announcements.ts';

/** Contacts want no mail to many any more, in the transaction in which they say so. */
export const contactsUnsubscribed = announcement<readonly { workspaceId: string; contactId: string }[]>(
  'contacts.contacts-unsubscribed',
);
