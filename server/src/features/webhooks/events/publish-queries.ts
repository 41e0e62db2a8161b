import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { WorkspaceEventType } from '../catalogue.ts';

/** Something that happened in a workspace and belongs to no email. */
export interface NewWorkspaceEvent {
  workspaceId: string;
  type: WorkspaceEventType;
  /** The `event_data` that receivers read. */
  data: Readonly<Record<string, unknown>>;
  /** Which newsletter (domain) it is about: endpoints that are limited to others are not told. */
  newsletterId?: string;
  domainId?: string;
  /** When it happened; now when left out. */
  at?: Date;
}

/** Stores events with a delivery to every endpoint that is enabled, subscribed, and not limited to something else. */
export async function insertWorkspaceEvents(
  tx: Db,
  events: readonly (NewWorkspaceEvent & { id: string })[],
): Promise<void> {
  const input = JSON.stringify(
    events.map((event) => ({
      workspace_id: event.workspaceId,
      id: event.id,
      type: event.type,
      at: event.at ?? null,
      payload: event.data,
      newsletter_id: event.newsletterId ?? null,
      domain_id: event.domainId ?? null,
    })),
  );
  await sql`
    with input as materialized (
      select * from jsonb_to_recordset(${input}::jsonb) as i (workspace_id uuid, id uuid, type text, at timestamptz,
        payload jsonb, newsletter_id uuid, domain_id uuid)
    ), events as (
      insert into workspace_events (workspace_id, id, type, at, payload)
      select i.workspace_id, i.id, i.type, coalesce(i.at, now()), i.payload from input i
    )
    insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type)
    select i.workspace_id, ph_uuidv7(), w.id, i.id, i.type
      from input i
      join webhooks w on w.workspace_id = i.workspace_id and w.enabled and w.events && array[i.type, '*']
       and (w.newsletter_ids = '{}' or i.newsletter_id = any (w.newsletter_ids))
       and (w.domain_ids = '{}' or i.domain_id = any (w.domain_ids))`.execute(tx);
}
