import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { MailVerdicts } from '#platform/smtp/mail-verdicts.ts';

/** A message that waits to be read. */
export interface WaitingInbound {
  workspaceId: string;
  id: string;
  domainId: string;
  size: number;
  /** This one counted. */
  tries: number;
  envelopeFrom: string;
  envelopeTo: string[];
  clientIp: string;
  clientName: string | null;
  receivedAt: Date;
  /** null: it came over SMTP. */
  verdicts: MailVerdicts | null;
}

/** Messages that one look considers. */
const LOOKED_AT = 200;

/**
 * Takes messages that wait, of each workspace in turn. A process that takes one has two minutes; then it waits again.
 * `again`: messages that were taken before. Take them one at a time: each may be the one that ends the process.
 */
export async function claimWaiting(db: Db, { max, again }: { max: number; again: boolean }): Promise<WaitingInbound[]> {
  const isKind = again ? sql`tries > 0` : sql`tries = 0`;
  const { rows } = await sql<WaitingInbound>`
    -- every workspace: one service reads for all
    with due as materialized (
      select workspace_id, id, next_try_at,
             row_number() over (partition by workspace_id order by next_try_at, id) as place
        from (select workspace_id, id, next_try_at from inbound_emails
               where read_at is null and next_try_at <= now() and ${isKind}
               order by next_try_at limit ${LOOKED_AT}) as waiting
    ), chosen as materialized (
      select e.workspace_id, e.id
        from due d join inbound_emails e on e.workspace_id = d.workspace_id and e.id = d.id
       where e.read_at is null and e.next_try_at <= now()
       order by d.place, d.next_try_at limit ${max} for update of e skip locked
    )
    update inbound_emails e set tries = e.tries + 1, next_try_at = now() + interval '2 minutes'
      from chosen c where e.workspace_id = c.workspace_id and e.id = c.id
    returning e.workspace_id as "workspaceId", e.id, e.domain_id as "domainId", e.size, e.tries,
              e.envelope_from as "envelopeFrom", e.envelope_to as "envelopeTo", e.client_ip as "clientIp",
              e.client_name as "clientName", e.received_at as "receivedAt", e.verdicts`.execute(db);
  return rows;
}

/** Holds a message that nobody has read yet. False: somebody has, or it is gone. */
export async function lockWaiting(tx: Db, workspaceId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select id from inbound_emails
     where workspace_id = ${workspaceId} and id = ${id} and read_at is null for update`.execute(tx);
  return rows.length > 0;
}

/** The thread of a message that this one answers, the newest of those that it names. */
export async function findThreadOf(
  tx: Db,
  workspaceId: string,
  { messageIds, emailId }: { messageIds: readonly string[]; emailId: string | null },
): Promise<string | undefined> {
  const { rows } = await sql<{ threadId: string }>`
    (select e.thread_id as "threadId" from inbound_emails e
      where e.workspace_id = ${workspaceId} and e.message_id = any (${[...messageIds]}::text[])
        and e.thread_id is not null
      order by e.id desc limit 1)
    union all
    select r.thread_id from inbound_replies r where r.workspace_id = ${workspaceId} and r.email_id = ${emailId}
     limit 1`.execute(tx);
  return rows[0]?.threadId;
}

export interface ReadFields {
  parseError: string | null;
  fromEmail: string | null;
  fromName: string | null;
  subject: string | null;
  messageId: string | null;
  inReplyTo: string | null;
  references: readonly string[];
  writtenAt: Date | null;
  autoSubmitted: boolean;
  mailboxHash: string | null;
  threadId: string;
  inReplyToEmailId: string | null;
  matchedBy: string | null;
  text: string | null;
  html: string | null;
  strippedChars: number | null;
  strippedConfidence: number | null;
  parts: unknown;
  auth: unknown;
  eventId: string | null;
}

export async function markRead(
  tx: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
  read: ReadFields,
): Promise<void> {
  await sql`
    update inbound_emails
       set read_at = now(), parse_error = ${read.parseError}, from_email = ${read.fromEmail},
           from_name = ${read.fromName}, subject = ${read.subject}, message_id = ${read.messageId},
           in_reply_to = ${read.inReplyTo}, "references" = ${[...read.references]}::text[],
           written_at = ${read.writtenAt}, auto_submitted = ${read.autoSubmitted}, mailbox_hash = ${read.mailboxHash},
           thread_id = ${read.threadId}, in_reply_to_email_id = ${read.inReplyToEmailId}, matched_by = ${read.matchedBy},
           text = ${read.text}, html = ${read.html}, stripped_chars = ${read.strippedChars},
           stripped_confidence = ${read.strippedConfidence}, parts = ${JSON.stringify(read.parts)}::jsonb,
           auth = ${JSON.stringify(read.auth)}::jsonb, event_id = ${read.eventId}
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
