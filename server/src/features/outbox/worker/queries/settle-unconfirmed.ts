import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/**
 * Puts one unconfirmed email back near the head of its lane, behind those of its workspace that came back before, with
 * the record that a second copy may leave. Its deadline is lifted: it was about the first copy, and whoever asks now
 * wants it sent. False when it is not unconfirmed (any more): an event of the provider may have settled it meanwhile.
 */
export async function requeueUnconfirmed(db: Db, workspaceId: string, emailId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with back as (
      update emails e set status = 'queued', unconfirmed_at = null, not_before = now(), handoff_at = null, expires_at = null,
             turn = (ph_take_turns(e.workspace_id, e.lane, 1, true))[1]
       where e.workspace_id = ${workspaceId} and e.id = ${emailId} and e.status = 'unconfirmed'
      returning e.workspace_id, e.id, e.attempts
    ), records as (
      insert into email_attempts (workspace_id, id, email_id, attempt, outcome, response)
      select workspace_id, ph_uuidv7(), id, attempts + 1, 'resent', 'a person asked to send it once more' from back
    )
    select id from back`.execute(db);
  return rows.length > 0;
}

/** Believes that an unconfirmed email left. Events of the provider still move it on from there. */
export async function markUnconfirmedSent(db: Db, workspaceId: string, emailId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update emails set status = 'sent', unconfirmed_at = null, sent_at = coalesce(sent_at, handoff_at, clock_timestamp())
     where workspace_id = ${workspaceId} and id = ${emailId} and status = 'unconfirmed'
    returning id`.execute(db);
  return rows.length > 0;
}
