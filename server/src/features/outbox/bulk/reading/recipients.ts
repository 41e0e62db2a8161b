import { messageIdOf } from '#mail/headers/message-id.ts';
import type { Db } from '#platform/db/database.ts';
import type { EmailStatus } from '../../email-status.ts';
import type { SendKey } from '../bulk-send.ts';
import { reasonsOf } from './reasons-queries.ts';
import { type RecipientsAsked, selectRecipients } from './recipients-queries.ts';

/** The provider's events report the outcome of these. */
const DID_NOT_ARRIVE: ReadonlySet<EmailStatus> = new Set(['bounced', 'failed']);

/** One recipient of a bulk send, and what became of the email. */
export interface BulkRecipient {
  emailId: string;
  subscriberId: string | null;
  email: string;
  status: EmailStatus;
  /** As in the message's header, with angle brackets. */
  messageId: string;
  lastEventAt: Date | null;
  /** Why it was not sent, or what the other side said to it. */
  error: string | null;
  openCount: number;
  clickCount: number;
  /** Of what they were sent, or will be as it is now. null: the email was settled without being sent. */
  contentVersion: number | null;
}

/** A page of the recipients the newest first. */
export async function pageOfRecipients(db: Db, key: SendKey, asked: RecipientsAsked): Promise<BulkRecipient[]> {
  const rows = await selectRecipients(db, key, asked);
  const unexplained = rows.filter((row) => row.error === null && DID_NOT_ARRIVE.has(row.status));
  const reasons =
    unexplained.length === 0
      ? new Map<string, string>()
      : await reasonsOf(
          db,
          key.workspaceId,
          unexplained.map((row) => row.emailId),
        );
  return rows.map(({ fromDomain, ...row }) => ({
    ...row,
    error: row.error ?? reasons.get(row.emailId) ?? null,
    messageId: messageIdOf(row.emailId, fromDomain),
  }));
}
