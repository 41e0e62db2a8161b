import { type EmailStatus, shownStatus } from '#features/outbox';
import { type EmailOrigin, shownOrigin } from '#mail/email-origin.ts';
import { messageIdOf } from '#mail/headers/message-id.ts';
import { shownMailbox, type StoredMailbox } from '#mail/addresses/stored-mailbox.ts';

/** A row of `emails` with what its content and request say of it. */
export interface EmailRow extends EmailOrigin {
  id: string;
  sendId: string | null;
  source: string | null;
  fromAddress: string;
  fromName: string | null;
  fromDomain: string;
  recipient: string;
  recipientName: string | null;
  recipientTyped: string | null;
  grouped: { to: StoredMailbox[]; cc: StoredMailbox[]; bcc: StoredMailbox[] } | null;
  replyTo: StoredMailbox[];
  subject: string;
  /** Of a message that somebody else composed. null: it is made from the id of the email. */
  givenMessageId: string | null;
  status: EmailStatus;
  providerMessageId: string | null;
  domainId: string | null;
  apiKeyId: string | null;
  requestId: string | null;
  /** The version of the template; null without one. */
  templateVersion: number | null;
  tags: { name: string; value: string }[];
  metadata: Record<string, unknown>;
  sandbox: boolean;
  openCount: number;
  clickCount: number;
  machineOpenCount: number;
  machineClickCount: number;
  firstOpenedAt: Date | null;
  error: string | null;
  expiresAt: Date | null;
  createdAt: Date;
  sentAt: Date | null;
  deliveredAt: Date | null;
  lastEventAt: Date | null;
}

export function emailView(row: EmailRow) {
  const alone = [row.recipientTyped ?? row.recipient];
  return {
    id: row.id,
    job_id: row.sendId,
    source: row.source,
    from: shownMailbox({ name: row.fromName, address: row.fromAddress }),
    to: row.grouped === null ? alone : row.grouped.to.map((one) => one.address),
    cc: row.grouped?.cc.map((one) => one.address) ?? [],
    bcc: row.grouped?.bcc.map((one) => one.address) ?? [],
    reply_to: row.replyTo.map(shownMailbox),
    subject: row.subject,
    status: shownStatus(row.status),
    message_id: row.givenMessageId ?? messageIdOf(row.id, row.fromDomain),
    provider_message_id: row.providerMessageId,
    domain_id: row.domainId,
    api_key_id: row.apiKeyId,
    request_id: row.requestId,
    ...shownOrigin(row),
    template_version: row.templateVersion,
    tags: row.tags,
    metadata: row.metadata,
    sandbox: row.sandbox,
    open_count: row.openCount,
    click_count: row.clickCount,
    machine_open_count: row.machineOpenCount,
    machine_click_count: row.machineClickCount,
    first_opened_at: row.firstOpenedAt,
    error: row.error,
    expires_at: row.expiresAt,
    created_at: row.createdAt,
    sent_at: row.sentAt,
    delivered_at: row.deliveredAt,
    last_event_at: row.lastEventAt,
  };
}
