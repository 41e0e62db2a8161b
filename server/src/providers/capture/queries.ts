import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { storableText } from '#platform/db/storable-text.ts';
import type { OutgoingMessage } from '../email-provider.ts';
import type { SimulatedEvent } from './simulate-outcome.ts';

export interface Capture {
  message: OutgoingMessage;
  id: string;
  capturedAt: Date;
  events: SimulatedEvent[];
}

export interface SimulatedProviderEvent extends SimulatedEvent {
  workspaceId: string;
  emailId: string;
}

/** An INSERT that keeps events to be applied: the end of a statement. Given by main, from whoever applies them. */
export type InsertEvents = (events: readonly SimulatedProviderEvent[]) => RawBuilder<unknown>;

/** Stores messages and what will be told about them: one statement, so one commit for all of it or none. */
export async function insertCaptures(db: Db, insertEvents: InsertEvents, captures: readonly Capture[]): Promise<void> {
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
    ${insertEvents(captures.flatMap(eventsOf))}`.execute(db);
}

/** Of people who were erased. */
export async function deleteCaptured(tx: Db, workspaceId: string, emailIds: readonly string[]): Promise<void> {
  await sql`
    delete from captured_emails
     where workspace_id = ${workspaceId} and email_id = any (${[...emailIds]}::uuid[])`.execute(tx);
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

const eventsOf = ({ message, events }: Capture): SimulatedProviderEvent[] =>
  events.map((event) => ({ ...event, workspaceId: message.workspaceId, emailId: message.emailId }));
