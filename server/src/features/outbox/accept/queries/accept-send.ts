import { type RawBuilder, sql } from 'kysely';
import type { Mailbox } from '#mail/addresses.ts';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { AcceptedContent, AcceptedSend } from '../accepted-send.ts';

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

/**
 * One round trip and, outside a transaction, one commit. The function keeps its plans on the server (see its
 * migration). Attachments travel as separate binary parameters: as an array they would be hexadecimal text.
 * The reservations run last, so their row locks are held only for the commit. Returns a status for each email id.
 */
export async function insertSend(db: Db, given: SendToInsert): Promise<('queued' | 'suppressed')[]> {
  const { workspaceId, send, addresses } = given;
  const { content, grouped } = send;
  const side = [...insertAttachments(given, content), ...send.reservations];
  const steps = side.map((statement, index) => sql`${sql.raw(`step_${index}`)} as (${statement})`);
  const steady = steps.length === 0 ? sql`` : sql`with ${sql.join(steps)} `;
  const { rows } = await sql<{ statuses: ('queued' | 'suppressed')[] }>`
    ${steady}select ph_accept_send(
      ${workspaceId}, ${given.jobId}, ${given.contentId}, ${send.source}, ${send.apiKey?.id ?? null},
      ${send.batch?.id ?? null}, ${send.batch?.index ?? null}::smallint,
      ${given.lane}::smallint, ${send.sandbox}, ${send.expiresAt},
      ${content.from.address}, ${content.from.name}, ${content.domain.domain}, ${content.domain.domainId},
      ${JSON.stringify(content.replyTo.map(nameAndAddress))}::jsonb,
      ${content.subject}, ${content.html}, ${content.text}, ${JSON.stringify(content.headers)}::jsonb,
      ${content.inReplyTo}, ${JSON.stringify(content.tags)}::jsonb, ${JSON.stringify(content.metadata)}::jsonb,
      ${content.trackOpens}, ${content.trackClicks},
      ${given.emailIds}::uuid[], ${given.eventIds}::uuid[], ${addresses.map((to) => to.identity)}::text[],
      ${addresses.map((to) => to.name)}::text[], ${addresses.map((to) => to.address)}::text[],
      ${grouped === undefined ? null : JSON.stringify(groupedRecord(grouped))}::jsonb, ${send.origin?.newsletterId ?? null},
      ${send.origin?.issueId ?? null}, ${send.origin?.subscriberId ?? null}) as statuses`.execute(db);
  return rows[0]?.statuses ?? [];
}

/**
 * The same for many sends without attachments, reservations and groups: one round trip and one commit for all of them.
 * Returns the statuses of each send.
 */
export async function insertSends(db: Db, sends: readonly SendToInsert[]): Promise<('queued' | 'suppressed')[][]> {
  const { rows } = await sql<{ place: number; statuses: ('queued' | 'suppressed')[] }>`
    select place, statuses from ph_accept_sends(${JSON.stringify(sends.map(sendRecord))}::jsonb)`.execute(db);
  const byPlace = new Map(rows.map((row) => [row.place, row.statuses]));
  return sends.map((_, place) => byPlace.get(place) ?? []);
}

function sendRecord(given: SendToInsert, place: number): Record<string, unknown> {
  const { send, addresses } = given;
  const { content } = send;
  return {
    place,
    workspace_id: given.workspaceId,
    job: given.jobId,
    content: given.contentId,
    source: send.source,
    api_key: send.apiKey?.id ?? null,
    lane: given.lane,
    newsletter: send.origin?.newsletterId,
    issue: send.origin?.issueId,
    subscriber: send.origin?.subscriberId,
    sandbox: send.sandbox,
    expires_at: send.expiresAt,
    from_address: content.from.address,
    from_name: content.from.name,
    from_domain: content.domain.domain,
    domain: content.domain.domainId,
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
    ids: given.emailIds,
    event_ids: given.eventIds,
    recipients: addresses.map((to) => to.identity),
    names: addresses.map((to) => to.name),
    typed: addresses.map((to) => to.address),
  };
}

function insertAttachments(given: SendToInsert, content: AcceptedContent): RawBuilder<unknown>[] {
  if (content.attachments.length === 0) return [];
  const rows = content.attachments.map(
    (
      file,
      position,
    ) => sql`(${given.workspaceId}::uuid, ${newId()}::uuid, ${given.contentId}::uuid, ${position}::smallint,
      ${file.filename}::text, ${file.contentType}::text, ${file.cid}::text, ${file.disposition}::text, ${file.body}::bytea)`,
  );
  return [
    sql`insert into attachments
      (workspace_id, id, content_id, position, filename, content_type, cid, disposition, body) values ${sql.join(rows)}`,
  ];
}

const nameAndAddress = (mailbox: Mailbox): { address: string; name: string | null } => ({
  address: mailbox.address,
  name: mailbox.name,
});

const groupedRecord = (grouped: NonNullable<AcceptedSend['grouped']>): Record<'to' | 'cc' | 'bcc', unknown[]> => ({
  to: grouped.to.map(nameAndAddress),
  cc: grouped.cc.map(nameAndAddress),
  bcc: grouped.bcc.map(nameAndAddress),
});
