import { messageIdOf } from '#mail/message-id.ts';
import type { Db } from '#platform/db/database.ts';
import type { EmailStatus } from '../email-status.ts';
import type { SendKey } from './bulk-send.ts';
import { type RecipientsAsked, selectRecipients } from './recipients-queries.ts';

/** One recipient of a bulk send, and what became of the email. */
export interface BulkRecipient {
  emailId: string;
  subscriberId: string | null;
  email: string;
  status: EmailStatus;
  /** As in the message's header, with angle brackets. */
  messageId: string;
  lastEventAt: Date | null;
  error: string | null;
  openCount: number;
  clickCount: number;
}

/** A page of the recipients in the order in which they were frozen. */
export async function pageOfRecipients(db: Db, key: SendKey, asked: RecipientsAsked): Promise<BulkRecipient[]> {
  const rows = await selectRecipients(db, key, asked);
  return rows.map(({ fromDomain, ...row }) => ({ ...row, messageId: messageIdOf(row.emailId, fromDomain) }));
}
