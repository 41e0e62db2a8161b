import { type RawBuilder, sql } from 'kysely';
import type { EmailEventRow, EmailEventSpan, EventKey } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import { originColumns } from '../../queries/origin-columns.ts';

/** Events with what their emails, contents and requests say of them. */
export async function loadEvents(db: Db, keys: readonly EventKey[]): Promise<EmailEventRow[]> {
  const asked = keys.map(({ workspaceId, eventId }) => ({ workspace_id: workspaceId, event_id: eventId }));
  const { rows } = await sql<EmailEventRow>`
    select v.workspace_id as "workspaceId", v.id as "eventId", v.type, v.recipient, v.sequence, v.event_data as data,
           e.id as "emailId", e.send_id as "sendId", s.source, ${originColumns},
           c.from_address as "fromAddress", c.from_name as "fromName",
           c.from_domain as "fromDomain", e.recipient as "emailRecipient", e.recipient_typed as "recipientTyped",
           e.grouped, c.subject, c.message_id as "givenMessageId", c.tags, c.metadata, c.domain_id as "domainId"
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as k (workspace_id uuid, event_id uuid)
      join email_events v on v.workspace_id = k.workspace_id and v.id = k.event_id
      join emails e on e.workspace_id = v.workspace_id and e.id = v.email_id
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
      left join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id`.execute(db);
  return rows;
}

/** The events of a span along their key, for no more rows than the limit. */
export const eventIds = (span: EmailEventSpan): RawBuilder<unknown> => sql`
  select v.id from email_events v
   where v.workspace_id = ${span.workspaceId} and ${within(span)}${ofShownMail(span)}
   order by v.id ${directionOf(span)} limit ${span.limit}`;

/** The same with what their emails are about, which is looked up for the rows of the page only. */
export const eventSubjects = (span: EmailEventSpan): RawBuilder<unknown> => sql`
  select p.id, p.type, r.newsletter_id, c.domain_id
    from (select v.id, v.type, v.email_id from email_events v
           where v.workspace_id = ${span.workspaceId} and ${within(span)}${ofShownMail(span)}
           order by v.id ${directionOf(span)} limit ${span.limit}) p
    left join emails m on m.workspace_id = ${span.workspaceId} and m.id = p.email_id
    left join contents c on c.workspace_id = m.workspace_id and c.id = m.content_id
    left join send_requests r on r.workspace_id = m.workspace_id and r.id = m.send_id`;

const directionOf = (span: EmailEventSpan): RawBuilder<unknown> => (span.ascending ? sql`asc` : sql`desc`);

/** The conditions on events (v). */
function within({ fromId, untilId, after, ascending, type, emailId }: EmailEventSpan): RawBuilder<unknown> {
  const behind = after === null ? sql`` : ascending ? sql` and v.id > ${after}::uuid` : sql` and v.id < ${after}::uuid`;
  const ofType = type === null ? sql`` : sql` and v.type = ${type}`;
  const ofEmail = emailId == null ? sql`` : sql` and v.email_id = ${emailId}`;
  return sql`v.id >= ${fromId}::uuid and v.id < ${untilId}::uuid${behind}${ofType}${ofEmail}`;
}

/** A question about each row, and not a join: it cannot change the order in which the rows are read. */
function ofShownMail({ shown: { withSystemMail, newsletterIds } }: EmailEventSpan): RawBuilder<unknown> {
  const hidden = [
    ...(withSystemMail ? [] : [sql`s.source = 'system'`]),
    ...(newsletterIds.length === 0 ? [] : [sql`s.newsletter_id <> all (${newsletterIds}::uuid[])`]),
  ];
  if (hidden.length === 0) return sql``;
  return sql` and not exists (
        select from emails e
          join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
         where e.workspace_id = v.workspace_id and e.id = v.email_id and (${sql.join(hidden, sql` or `)}))`;
}
