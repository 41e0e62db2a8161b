import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { InboundEmail, InboundSummary } from './inbound-email.ts';

const summaryColumns = sql`
  i.workspace_id as "workspaceId", i.id, i.domain_id as "domainId", i.received_at as "receivedAt",
  i.read_at as "readAt", i.size, i.envelope_from as "envelopeFrom", i.envelope_to as "envelopeTo",
  i.parse_error as "parseError", i.from_email as "fromEmail", i.from_name as "fromName", i.subject,
  i.message_id as "messageId", i.in_reply_to as "inReplyTo", i.written_at as "writtenAt",
  i.auto_submitted as "autoSubmitted", i.mailbox_hash as "mailboxHash", i.thread_id as "threadId",
  i.in_reply_to_email_id as "inReplyToEmailId", i.matched_by as "matchedBy", i.stripped_chars as "strippedChars",
  i.stripped_confidence as "strippedConfidence", i.auth, i.event_id as "eventId"`;

export async function findInbound(db: Db, workspaceId: string, id: string): Promise<InboundEmail | undefined> {
  const { rows } = await sql<InboundEmail>`
    select ${summaryColumns}, i."references", i.text, i.html, i.parts, i.verdicts from inbound_emails i
     where i.workspace_id = ${workspaceId} and i.id = ${id}`.execute(db);
  return rows[0];
}

/** The emails that answered the message, oldest first. */
export async function listReplyIds(
  db: Db,
  { workspaceId, id, max }: { workspaceId: string; id: string; max: number },
): Promise<string[]> {
  const { rows } = await sql<{ emailId: string }>`
    select r.email_id as "emailId" from inbound_replies r
     where r.workspace_id = ${workspaceId} and r.inbound_id = ${id} order by r.created_at, r.email_id limit ${max}`.execute(
    db,
  );
  return rows.map(({ emailId }) => emailId);
}

/** Empty lists and null: all. */
export interface InboundFilter {
  domainIds: readonly string[];
  domainId: string | null;
  threadId: string | null;
  from: string | null;
}

const conditions = (filter: InboundFilter): RawBuilder<unknown> => {
  const all = [sql`true`];
  if (filter.domainIds.length > 0) all.push(sql`i.domain_id = any (${[...filter.domainIds]}::uuid[])`);
  if (filter.domainId !== null) all.push(sql`i.domain_id = ${filter.domainId}`);
  if (filter.threadId !== null) all.push(sql`i.thread_id = ${filter.threadId}`);
  if (filter.from !== null) all.push(sql`i.from_email = ${filter.from}`);
  return sql.join(all, sql` and `);
};

/** Newest first. */
export async function pageOfInbound(
  db: Db,
  workspaceId: string,
  { after, offset, limit, ...filter }: InboundFilter & { after: string | null; offset: number; limit: number },
): Promise<InboundSummary[]> {
  const { rows } = await sql<InboundSummary>`
    select ${summaryColumns}, coalesce(jsonb_array_length(i.parts -> 'files'), 0) as attachments from inbound_emails i
     where i.workspace_id = ${workspaceId} and ${conditions(filter)} and (${after}::uuid is null or i.id < ${after}::uuid)
     order by i.id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** Counted up to `max` and no further. */
export async function countInbound(
  db: Db,
  workspaceId: string,
  { max, ...filter }: InboundFilter & { max: number },
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from inbound_emails i
       where i.workspace_id = ${workspaceId} and ${conditions(filter)} limit ${max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The message as it came. Nothing of a deleted workspace is given. */
export async function loadMessage(db: Db, workspaceId: string, id: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select m.bytes from inbound_messages m join workspaces w on w.id = m.workspace_id
     where m.workspace_id = ${workspaceId} and m.inbound_id = ${id}`.execute(db);
  return rows[0]?.bytes;
}

/** The bytes of a part between two places, which are counted from 0. */
export async function loadPart(
  db: Db,
  workspaceId: string,
  { id, start, end }: { id: string; start: number; end: number },
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select substring(m.bytes from ${start + 1} for ${end - start}) as bytes
      from inbound_messages m join workspaces w on w.id = m.workspace_id
     where m.workspace_id = ${workspaceId} and m.inbound_id = ${id}`.execute(db);
  return rows[0]?.bytes;
}

/**
 * The event that tells of a message, held until the transaction ends: the one it has, or else this one. undefined: the
 * message was removed meanwhile.
 */
export async function holdEvent(
  tx: Db,
  { workspaceId, id, eventId }: { workspaceId: string; id: string; eventId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ eventId: string }>`
    update inbound_emails set event_id = coalesce(event_id, ${eventId}::uuid)
     where workspace_id = ${workspaceId} and id = ${id}
    returning event_id as "eventId"`.execute(tx);
  return rows[0]?.eventId;
}
