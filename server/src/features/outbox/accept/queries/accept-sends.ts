import { sql } from 'kysely';
import type { Mailbox } from '#mail/addresses.ts';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { type Take, takeRecord } from '#platform/usage/take-usage.ts';
import type { AcceptedSend } from '../accepted-send.ts';

export interface SendToInsert {
  workspaceId: string;
  jobId: string;
  contentId: string;
  send: AcceptedSend;
  lane: number;
  /** One per recipient, or one for a grouped message. */
  emailIds: readonly string[];
  /** One per address. */
  eventIds: readonly string[];
  addresses: readonly Mailbox[];
}

/** The result of a send: its emails are stored, or a limit had no room and nothing of it is stored. */
export type InsertedSend =
  | {
      /** Positions in `emailIds` that are suppressed; the others are queued. */
      suppressed: ReadonlySet<number>;
      /** The count of each take's window with this send. */
      used: readonly number[];
    }
  | { refusedBy: number };

/**
 * Stores sends in one round trip and, outside a transaction, one commit. The function keeps its plans on the server
 * (see its migration). Its argument is one JSON text, except for the bytes of files. Each file is a binary parameter:
 * in an array, as in JSON, its bytes would be hexadecimal text. `takes` are those of each send, by its place. A send
 * whose takes find no room is left out.
 */
export async function insertSends(
  db: Db,
  sends: readonly SendToInsert[],
  takes: readonly (readonly Take[])[],
): Promise<InsertedSend[]> {
  const files: Buffer[] = [];
  const records = sends.map((given, place) => sendRecord(given, place, files));
  const taken = takes.flatMap((ofSend, place) => ofSend.map((take) => takeRecord(take, place)));
  const { rows } = await sql<{
    place: number;
    refusedBy: number | null;
    used: number[] | null;
    suppressed: number[] | null;
  }>`
    select place, refused_by as "refusedBy", used, suppressed
      from ph_accept_sends(${JSON.stringify(records)}::jsonb, ${taken.length === 0 ? null : JSON.stringify(taken)}::jsonb,
        ${files.length === 0 ? null : sql`array[${sql.join(files.map((file) => sql`${file}::bytea`))}]`})`.execute(db);
  const results: InsertedSend[] = sends.map(() => NOTHING_SPECIAL);
  for (const row of rows) {
    const { place, refusedBy } = row;
    const before = results[place];
    if (refusedBy !== null) results[place] = { refusedBy };
    else if (before !== undefined && 'suppressed' in before) {
      results[place] = {
        suppressed: row.suppressed === null ? before.suppressed : new Set(row.suppressed.map((nth) => nth - 1)),
        used: row.used ?? before.used,
      };
    }
  }
  return results;
}

const NOTHING_SPECIAL: InsertedSend = { suppressed: new Set(), used: [] };

/** The names are those of the function. Adds the bytes of its files to `files`. */
function sendRecord(given: SendToInsert, place: number, files: Buffer[]): Record<string, unknown> {
  const { send, addresses } = given;
  const { content, grouped } = send;
  return {
    place,
    workspace_id: given.workspaceId,
    id: given.jobId,
    content_id: given.contentId,
    source: send.source,
    api_key_id: send.apiKey?.id,
    batch_id: send.batch?.id,
    batch_index: send.batch?.index,
    newsletter_id: send.origin?.newsletterId,
    issue_id: send.origin?.issueId,
    template_id: send.origin?.templateId,
    broadcast_id: send.origin?.broadcastId,
    scheduled_id: send.origin?.scheduledId,
    automation_run_id: send.origin?.automationRunId,
    subscriber_id: send.origin?.subscriberId,
    lane: given.lane,
    sandbox: send.sandbox,
    expires_at: send.expiresAt,
    from_address: content.from.address,
    from_name: content.from.name,
    from_domain: content.domain.domain,
    domain_id: content.domain.domainId,
    reply_to: content.replyTo.map(nameAndAddress),
    subject: content.subject,
    html: content.html,
    text: content.text,
    headers: content.headers,
    in_reply_to: content.inReplyTo,
    tags: content.tags,
    metadata: content.metadata,
    track_opens: content.trackOpens,
    track_clicks: content.trackClicks,
    files: content.attachments.length === 0 ? undefined : fileRecords(content.attachments, files),
    email_ids: given.emailIds,
    event_ids: given.eventIds,
    recipients: addresses.map((to) => to.identity),
    names: addresses.map((to) => to.name),
    typed: addresses.map((to) => to.address),
    grouped: grouped === undefined ? undefined : groupedRecord(grouped),
  };
}

const fileRecords = (attachments: AcceptedSend['content']['attachments'], files: Buffer[]): unknown[] =>
  attachments.map(({ filename, contentType, cid, disposition, body }, position) => ({
    id: newId(),
    position,
    filename,
    content_type: contentType,
    cid,
    disposition,
    // Counted from 1, as PostgreSQL counts.
    number: files.push(body),
  }));

const nameAndAddress = (mailbox: Mailbox): { address: string; name: string | null } => ({
  address: mailbox.address,
  name: mailbox.name,
});

const groupedRecord = (grouped: NonNullable<AcceptedSend['grouped']>): Record<'to' | 'cc' | 'bcc', unknown[]> => ({
  to: grouped.to.map(nameAndAddress),
  cc: grouped.cc.map(nameAndAddress),
  bcc: grouped.bcc.map(nameAndAddress),
});
