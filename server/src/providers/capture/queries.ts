import { type RawBuilder, sql } from 'kysely';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { storableText } from '#platform/db/storable-text.ts';
import type { OutgoingMessage } from '../email-provider.ts';
import { deleteUnusedChunks, holdChunks } from './chunk-queries.ts';
import { type Chunk, type CutMessage, cutMessage } from './cut-message.ts';
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

/**
 * Stores messages and what will be told about them: one commit for all of it or none. Small messages need one
 * statement.
 * The bytes go as one parameter, which the driver sends as it is; an array of them it would spell out in hexadecimal.
 */
export async function insertCaptures(db: Db, insertEvents: InsertEvents, captures: readonly Capture[]): Promise<void> {
  const cut = captures.map(({ message }) => cutMessage(message.mime));
  const chunks = captures.flatMap(({ message: { workspaceId } }, index) =>
    (cut[index]?.chunks ?? []).map(({ hash, bytes }) => ({ workspaceId, hash, bytes })),
  );
  if (chunks.length === 0) return insertRows(db, insertEvents, captures, cut);
  await inTransaction(db, async (tx) => {
    await holdChunks(tx, chunks);
    await insertRows(tx, insertEvents, captures, cut);
  });
}

async function insertRows(
  db: Db,
  insertEvents: InsertEvents,
  captures: readonly Capture[],
  cut: readonly CutMessage[],
): Promise<void> {
  const own = Buffer.concat(cut.map((one) => one.own));
  const parts = captures.flatMap((capture, index) => (cut[index]?.chunks ?? []).map(partRow(capture)));
  await sql`
    with kept as (
      insert into captured_emails (workspace_id, id, email_id, message_id, envelope_from, envelope_to, subject, mime,
                                   size, is_system, captured_at)
      -- the workspace stays until the commit, so that its purge sees this row; one that is gone is null, and refused
      select ph_held_workspace(c.workspace_id), c.id, c.email_id, c.message_id, c.envelope_from,
             array(select jsonb_array_elements_text(c.envelope_to)), c.subject,
             substring(${own}::bytea from c.start for c.own_bytes), c.size, c.is_system, c.captured_at
        from jsonb_to_recordset(${JSON.stringify(captureRows(captures, cut))}::jsonb)
          as c (start integer, own_bytes integer, workspace_id uuid, id uuid, email_id uuid, message_id text,
                envelope_from text, envelope_to jsonb, subject text, size integer, is_system boolean,
                captured_at timestamptz)
    )${parts.length === 0 ? sql`` : partsOfRows(parts)}
    ${insertEvents(captures.flatMap(eventsOf))}`.execute(db);
}

const partsOfRows = (parts: readonly object[]) => sql`, parts as (
      insert into captured_parts (workspace_id, captured_id, position, own_bytes, hash)
      select p.workspace_id, p.captured_id, p.position, p.own_bytes, decode(p.hash, 'hex')
        from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb)
          as p (workspace_id uuid, captured_id uuid, position integer, own_bytes integer, hash text)
    )`;

/** Of people who were erased. */
export const deleteCaptured = (db: Db, workspaceId: string, emailIds: readonly string[]): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<{ hash: string }>`
      with gone as materialized (
        select id from captured_emails where workspace_id = ${workspaceId} and email_id = any (${[...emailIds]}::uuid[])
      ), deleted as (
        delete from captured_emails k using gone where k.workspace_id = ${workspaceId} and k.id = gone.id
      )
      select distinct encode(p.hash, 'hex') as hash
        from gone join captured_parts p on p.workspace_id = ${workspaceId} and p.captured_id = gone.id`.execute(tx);
    const hashes = rows.map((row) => row.hash);
    await deleteUnusedChunks(tx, workspaceId, hashes);
  });

/** Removes a page of the messages of a deleted workspace, with parts that no other has; returns how many it found. */
export const deletePageOfCaptured = (db: Db, workspaceId: string, page: number): Promise<number> =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<{ found: number; hashes: string[] }>`
      with page as materialized (
        select id from captured_emails where workspace_id = ${workspaceId} limit ${page}
      ), gone as (
        delete from captured_emails where workspace_id = ${workspaceId} and id in (select id from page)
      )
      select (select count(*)::integer from page) as found,
             array(select distinct encode(p.hash, 'hex') from page
                     join captured_parts p on p.workspace_id = ${workspaceId} and p.captured_id = page.id) as hashes`.execute(
      tx,
    );
    await deleteUnusedChunks(tx, workspaceId, rows[0]?.hashes ?? []);
    return rows[0]?.found ?? 0;
  });

const partRow =
  ({ message, id }: Capture) =>
  ({ ownBytes, hash }: Chunk, position: number) => ({
    workspace_id: message.workspaceId,
    captured_id: id,
    position,
    own_bytes: ownBytes,
    hash,
  });

function captureRows(captures: readonly Capture[], cut: readonly CutMessage[]): object[] {
  let start = 1; // SQL counts bytes from 1
  return captures.map((capture, index) => {
    const ownBytes = cut[index]?.own.length ?? 0;
    start += ownBytes;
    return { start: start - ownBytes, own_bytes: ownBytes, ...captureRow(capture) };
  });
}

const captureRow = ({ message, id, capturedAt }: Capture) => ({
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
