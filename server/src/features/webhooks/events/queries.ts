import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { EmailEventRow, WorkspaceEventRow } from './envelope.ts';

export interface EventKey {
  workspaceId: string;
  eventId: string;
}

const keysOf = (keys: readonly EventKey[]): string =>
  JSON.stringify(keys.map(({ workspaceId, eventId }) => ({ workspace_id: workspaceId, event_id: eventId })));

export async function listBodies(db: Db, keys: readonly EventKey[]): Promise<(EventKey & { body: string })[]> {
  const { rows } = await sql<EventKey & { body: string }>`
    select b.workspace_id as "workspaceId", b.event_id as "eventId", b.body
      from jsonb_to_recordset(${keysOf(keys)}::jsonb) as k (workspace_id uuid, event_id uuid)
      join webhook_bodies b on b.workspace_id = k.workspace_id and b.event_id = k.event_id`.execute(db);
  return rows;
}

/** Stores bodies; one that another process has stored meanwhile stays, and is not returned. */
export async function insertBodies(db: Db, bodies: readonly (EventKey & { body: string })[]): Promise<EventKey[]> {
  // In one order, so that two that store the same bodies wait for each other and never in a circle.
  const input = [...bodies].sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
  const { rows } = await sql<EventKey>`
    insert into webhook_bodies (workspace_id, event_id, body)
    select i.workspace_id, i.event_id, i.body
      from unnest(${input.map((one) => one.workspaceId)}::uuid[], ${input.map((one) => one.eventId)}::uuid[],
                  ${input.map((one) => one.body)}::text[]) as i (workspace_id, event_id, body)
    on conflict (workspace_id, event_id) do nothing
    returning workspace_id as "workspaceId", event_id as "eventId"`.execute(db);
  return rows;
}

/** What an email's event needs of its event (v), email (e), content (c) and request (s). */
const emailEventColumns = sql`
  v.workspace_id as "workspaceId", v.id as "eventId", v.type, v.recipient, v.event_data as data,
  e.id as "emailId", e.send_id as "sendId", s.source, s.newsletter_id as "newsletterId",
  s.issue_id as "issueId", c.from_address as "fromAddress", c.from_name as "fromName",
  c.from_domain as "fromDomain", e.recipient as "emailRecipient", e.recipient_typed as "recipientTyped", e.grouped,
  c.subject, c.tags, c.metadata, c.domain_id as "domainId"`;

export async function listEmailEvents(db: Db, keys: readonly EventKey[]): Promise<EmailEventRow[]> {
  const { rows } = await sql<EmailEventRow>`
    select ${emailEventColumns}
      from jsonb_to_recordset(${keysOf(keys)}::jsonb) as k (workspace_id uuid, event_id uuid)
      join email_events v on v.workspace_id = k.workspace_id and v.id = k.event_id
      join emails e on e.workspace_id = v.workspace_id and e.id = v.email_id
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
      left join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id`.execute(db);
  return rows;
}

export async function listWorkspaceEvents(db: Db, keys: readonly EventKey[]): Promise<WorkspaceEventRow[]> {
  const { rows } = await sql<WorkspaceEventRow>`
    select v.workspace_id as "workspaceId", v.id as "eventId", v.type, v.payload as data
      from jsonb_to_recordset(${keysOf(keys)}::jsonb) as k (workspace_id uuid, event_id uuid)
      join workspace_events v on v.workspace_id = k.workspace_id and v.id = k.event_id`.execute(db);
  return rows;
}
