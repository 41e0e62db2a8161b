/**
 * What an event looks like to a receiver, and in GET /v1/events. The bytes of a delivery are fixed when it is first
 * rendered, so a change here reaches only events that nobody has been sent yet.
 */
import { type EmailOrigin, shownOrigin } from '#mail/email-origin.ts';
import { messageIdOf } from '#mail/headers/message-id.ts';
import { shownMailbox, type StoredMailbox } from '#mail/addresses/stored-mailbox.ts';
import { cutEmail, cutEventData, EVENT_BYTES_MAX } from './cut-event.ts';
import { eventName } from './event-name.ts';
import { toldData } from './told-data.ts';

/** Changes only when a receiver would have to change. */
const API_VERSION = '2026-11-01';

/** An event of an email with what its email, content and request say of it. */
export interface EmailEventRow extends EmailOrigin {
  workspaceId: string;
  eventId: string;
  type: string;
  recipient: string;
  /** From 1, in the order in which the events of the email were recorded; null for one of before November 2026. */
  sequence: number | null;
  data: Record<string, unknown>;
  emailId: string;
  sendId: string | null;
  source: string | null;
  fromAddress: string;
  fromName: string | null;
  fromDomain: string;
  /** Of a message that somebody else composed. null: it is made from the id of the email. */
  givenMessageId: string | null;
  emailRecipient: string;
  recipientTyped: string | null;
  grouped: { to: StoredMailbox[] } | null;
  subject: string;
  tags: { name: string; value: string }[];
  metadata: Record<string, unknown>;
  domainId: string | null;
}

/** An event that belongs to no email. */
export interface WorkspaceEventRow {
  workspaceId: string;
  eventId: string;
  type: string;
  data: Record<string, unknown>;
}

export type EventRow = EmailEventRow | WorkspaceEventRow;

/** `test` is true only in what the test endpoint sends. */
export function envelopeOf(row: EventRow, test = false) {
  const head = {
    id: eventName(row.eventId),
    type: row.type,
    api_version: API_VERSION,
    created_at: recordedAt(row.eventId).toISOString(),
    workspace_id: row.workspaceId,
    test,
  };
  if (!('emailId' in row)) return { ...head, event_data: cutEventData(row.data, 'alone') };
  const event_data = cutEventData(toldData(row.type, row.data), 'besideEmail');
  const around = Buffer.byteLength(JSON.stringify({ ...head, sequence: row.sequence, email: {}, event_data }));
  return { ...head, sequence: row.sequence, email: cutEmail(emailOf(row), EVENT_BYTES_MAX - around), event_data };
}

function emailOf(row: EmailEventRow) {
  return {
    id: row.emailId,
    job_id: row.sendId,
    message_id: row.givenMessageId ?? messageIdOf(row.emailId, row.fromDomain),
    from: shownMailbox({ name: row.fromName, address: row.fromAddress }),
    to: row.grouped?.to.map((one) => one.address) ?? [row.recipientTyped ?? row.emailRecipient],
    recipient: row.recipient,
    subject: row.subject,
    source: row.source,
    tags: row.tags,
    metadata: row.metadata,
    ...shownOrigin(row),
    domain_id: row.domainId,
  };
}

/**
 * When we recorded the event, which its id (UUID version 7) begins with: events listed by id are in the order of this.
 * When it happened, by the provider's clock, stands in its event_data.
 */
const recordedAt = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
