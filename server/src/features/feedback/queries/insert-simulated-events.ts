import { type RawBuilder, sql } from 'kysely';
import { newId } from '#platform/ids.ts';

/** An event of the capture provider, as a provider would report it. */
interface SimulatedEvent {
  workspaceId: string;
  emailId: string;
  type: string;
  recipient: string;
  /** Applied from then on. */
  at: Date;
  payload: Readonly<Record<string, unknown>>;
}

/**
 * Keeps events to be applied: the end of the statement that captures their messages, so that one commit is for both.
 * Events of a workspace that is gone are passed over; one that is there stays until the commit.
 */
export const insertSimulatedEvents = (events: readonly SimulatedEvent[]): RawBuilder<unknown> => sql`
  insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
  select e.workspace_id, e.id, e.email_id, e.type, e.recipient, e.at, e.payload
    from jsonb_to_recordset(${JSON.stringify(events.map(rowOf))}::jsonb)
      as e (workspace_id uuid, id uuid, email_id uuid, type text, recipient text, at timestamptz, payload jsonb)
    join workspaces w on w.id = e.workspace_id
     for key share of w`;

const rowOf = ({ workspaceId, emailId, ...event }: SimulatedEvent) => ({
  ...event,
  id: newId(),
  workspace_id: workspaceId,
  email_id: emailId,
});
