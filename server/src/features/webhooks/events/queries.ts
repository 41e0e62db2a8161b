import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { EventKey } from './email-events.ts';
import type { WorkspaceEventRow } from './envelope.ts';

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

export async function listWorkspaceEvents(db: Db, keys: readonly EventKey[]): Promise<WorkspaceEventRow[]> {
  const { rows } = await sql<WorkspaceEventRow>`
    select v.workspace_id as "workspaceId", v.id as "eventId", v.type, v.payload as data
      from jsonb_to_recordset(${keysOf(keys)}::jsonb) as k (workspace_id uuid, event_id uuid)
      join workspace_events v on v.workspace_id = k.workspace_id and v.id = k.event_id`.execute(db);
  return rows;
}
