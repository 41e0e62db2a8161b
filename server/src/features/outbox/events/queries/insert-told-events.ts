import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { tellEvents } from './tell-events.ts';

/** The outcome of an email after it was handed over, under an id of the reporter's own. */
export interface ToldEvent {
  workspaceId: string;
  id: string;
  emailId: string;
  type: string;
  recipient: string;
  at: Date;
  payload: Readonly<Record<string, unknown>>;
}

/**
 * Stores events under the ids that they come with, so that the same one is stored once however often it is told.
 * Returns those that are new: only they may count.
 */
export async function insertToldEvents(db: Db, events: readonly ToldEvent[]): Promise<{ id: string }[]> {
  if (events.length === 0) return [];
  const input = JSON.stringify(
    events.map((event) => ({
      workspace_id: event.workspaceId,
      id: event.id,
      email_id: event.emailId,
      type: event.type,
      recipient: event.recipient,
      at: event.at,
      event_data: event.payload,
    })),
  );
  const { rows } = await sql<{ id: string }>`
    with events as (
      insert into email_events (workspace_id, id, email_id, type, recipient, at, event_data)
      select workspace_id, id, email_id, type, recipient, at, event_data
        from jsonb_to_recordset(${input}::jsonb) as input (workspace_id uuid, id uuid, email_id uuid, type text,
             recipient text, at timestamptz, event_data jsonb)
      on conflict (workspace_id, id) do nothing
      returning workspace_id, id, email_id, type
    ), ${tellEvents}
    select id from events`.execute(db);
  return rows;
}
