import type { MailReceipt } from '../announcements.ts';
import type { NewProviderEvent } from '../queries/insert-provider-events.ts';

/** A notification as it arrived and was stored, before anybody knows whose it is. */
export interface StoredNotification {
  source: 'ses' | 'mail';
  id: string;
  topic: string | null;
  body: Buffer;
  /** For mail: the address it came to, which names the email. */
  envelopeTo: string | null;
  receivedAt: Date;
}

/**
 * An event as a notification tells it. Whether there is such an email is looked up later, since a notification may come
 * before our own record of the hand-off. Without the two ids, the email is the one that the provider gave this number.
 */
export type ToldEvent = Omit<NewProviderEvent, 'notBefore' | 'workspaceId' | 'emailId'> & {
  workspaceId: string | null;
  emailId: string | null;
  /** Anybody who got the email could have said this: its return path is all that proves it. */
  isForgeable?: true;
};

/** The content of a notification. */
export type ReadNotification =
  | { kind: 'events'; events: readonly ToldEvent[] }
  /** The provider has received a message. */
  | { kind: 'receipt'; receipt: MailReceipt }
  /** Good, and nothing for us: an auto-reply, a test of the console. */
  | { kind: 'ignored'; note: string }
  /** Not what it should be. It is kept for a week and looked at by people. */
  | { kind: 'malformed'; note: string };

/** Reads one kind of notification. It never throws: what it cannot read is malformed. */
export type ReadOne = (notification: StoredNotification) => Promise<ReadNotification>;
