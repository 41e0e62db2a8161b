import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { storableText } from '#platform/db/storable-text.ts';
import { newId } from '#platform/ids.ts';
import type { OutgoingMessage } from '../email-provider.ts';
import type { SimulatedEvent } from './simulate-outcome.ts';

export interface Capture {
  message: OutgoingMessage;
  id: string;
  capturedAt: Date;
  events: SimulatedEvent[];
}

/** Stores messages and what will be told about them: one statement, so one commit for all of it or none. */
export async function insertCaptures(db: Db, captures: readonly Capture[]): Promise<void> {
  const mimes = captures.map(({ message }) => message.mime);
  await sql`
    with kept as (
      insert into captured_emails (workspace_id, id, email_id, message_id, envelope_from, envelope_to, subject, mime,
                                   size, is_system, captured_at)
      select c.workspace_id, c.id, c.email_id, c.message_id, c.envelope_from,
             array(select jsonb_array_elements_text(c.envelope_to)), c.subject,
             (${mimes}::bytea[])[c.position], c.size, c.is_system, c.captured_at
        from jsonb_to_recordset(${JSON.stringify(captures.map(captureRow))}::jsonb)
          as c (position integer, workspace_id uuid, id uuid, email_id uuid, message_id text, envelope_from text,
                envelope_to jsonb, subject text, size integer, is_system boolean, captured_at timestamptz)
    )
    insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
    select e.workspace_id, e.id, e.email_id, e.type, e.recipient, e.at, e.payload
      from jsonb_to_recordset(${JSON.stringify(captures.flatMap(eventRows))}::jsonb)
        as e (workspace_id uuid, id uuid, email_id uuid, type text, recipient text, at timestamptz, payload jsonb)
  `.execute(db);
}

const captureRow = ({ message, id, capturedAt }: Capture, index: number) => ({
  position: index + 1, // SQL arrays begin at 1
  workspace_id: message.workspaceId,
  id,
  email_id: message.emailId,
  message_id: message.messageId,
  envelope_from: message.envelope.from,
  envelope_to: message.envelope.to,
  subject: storableText(message.subject),
  size: message.mime.length,
  is_system: message.system,
  captured_at: capturedAt,
});

const eventRows = ({ message, events }: Capture) =>
  events.map((event) => ({
    workspace_id: message.workspaceId,
    id: newId(),
    email_id: message.emailId,
    type: event.type,
    recipient: event.recipient,
    at: event.at,
    payload: event.payload,
  }));
