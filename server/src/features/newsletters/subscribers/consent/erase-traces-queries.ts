import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface Erasure {
  workspaceId: string;
  subscriberId: string;
}

export async function insertErasures(tx: Db, rows: readonly { workspaceId: string; id: string }[]): Promise<void> {
  await sql`
    insert into erasures (workspace_id, subscriber_id)
    select workspace_id, id from jsonb_to_recordset(${JSON.stringify(
      rows.map(({ workspaceId, id }) => ({ workspace_id: workspaceId, id })),
    )}::jsonb) as i (workspace_id uuid, id uuid)
    on conflict do nothing`.execute(tx);
}

/** What files said of these addresses, and what became of it. */
export async function deleteResultsOfImports(tx: Db, workspaceId: string, emails: readonly string[]): Promise<void> {
  await sql`
    delete from import_results where workspace_id = ${workspaceId} and email = any (${[...emails]}::text[])`.execute(
    tx,
  );
}

/** Oldest first; those that a process works on just now are left to it. */
export async function lockErasures(tx: Db, after: Erasure | null, limit: number): Promise<Erasure[]> {
  const { rows } = await sql<Erasure>`
    -- every workspace: whoever asked to be forgotten, wherever
    select workspace_id as "workspaceId", subscriber_id as "subscriberId" from erasures
     where ${after === null ? sql`true` : sql`(workspace_id, subscriber_id) > (${after.workspaceId}, ${after.subscriberId})`}
     order by workspace_id, subscriber_id limit ${limit} for update skip locked`.execute(tx);
  return rows;
}

/** After this long nothing comes any more that names them: a provider reports what became of an email for days. */
export async function deleteOldErasures(db: Db, days: number): Promise<void> {
  await sql`
    -- every workspace: time passes everywhere
    delete from erasures where created_at < now() - make_interval(days => ${days})`.execute(db);
}

/**
 * Up to `limit` emails to a subscriber that still say to whom, and are on their way to nobody. A webhook that was rendered
 * before its event was emptied may be stored after that, so one that has a body is looked at again.
 */
export async function listEmailsToErase(
  db: Db,
  { workspaceId, subscriberId }: Erasure,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from emails e
     where e.workspace_id = ${workspaceId} and e.subscriber_id = ${subscriberId}
       and e.status not in ('pending', 'queued', 'deferred', 'sending', 'unconfirmed')
       and (e.recipient not like 'erased-%@erased.invalid' or exists (
         select from email_events v where v.workspace_id = e.workspace_id and v.email_id = e.id
            and (v.recipient not like 'erased-%' or exists (
              select from webhook_bodies b where b.workspace_id = v.workspace_id and b.event_id = v.id))))
     order by e.id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/**
 * Takes the person out of emails, what was told about them, and what the provider said. What was counted stays counted.
 * A body that a webhook was sent is rendered anew should it be asked for again.
 */
export async function eraseEmails(tx: Db, workspaceId: string, emailIds: readonly string[]): Promise<void> {
  const ids = [...emailIds];
  await sql`
    delete from webhook_bodies b using email_events v
     where b.workspace_id = ${workspaceId} and v.workspace_id = ${workspaceId} and v.email_id = any (${ids}::uuid[])
       and b.event_id = v.id`.execute(tx);
  await sql`
    update email_events set recipient = 'erased-' || email_id || '@erased.invalid', event_data = '{"erased": true}'
     where workspace_id = ${workspaceId} and email_id = any (${ids}::uuid[])`.execute(tx);
  await sql`
    update email_attempts set response = 'erased'
     where workspace_id = ${workspaceId} and email_id = any (${ids}::uuid[]) and response like '%@%'`.execute(tx);
  await sql`
    update provider_events set recipient = 'erased-' || email_id || '@erased.invalid', payload = '{}'
     where workspace_id = ${workspaceId} and email_id = any (${ids}::uuid[]) and applied_at is not null`.execute(tx);
  await sql`
    delete from captured_emails where workspace_id = ${workspaceId} and email_id = any (${ids}::uuid[])`.execute(tx);
  await sql`
    update emails
       set recipient = 'erased-' || id || '@erased.invalid', recipient_typed = null, recipient_name = null,
           error = case when error like '%@%' then 'erased' else error end
     where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`.execute(tx);
}

/** The same for the events of the list itself. */
export async function eraseSubscriberEvents(tx: Db, { workspaceId, subscriberId }: Erasure): Promise<void> {
  await sql`
    with gone as (
      update workspace_events
         set payload = jsonb_set(payload, '{subscriber}', jsonb_build_object(
               'id', payload #> '{subscriber,id}', 'newsletter_id', payload #> '{subscriber,newsletter_id}',
               'status', payload #> '{subscriber,status}', 'erased', true))
       where workspace_id = ${workspaceId} and payload #>> '{subscriber,id}' = ${subscriberId} and payload ? 'subscriber'
      returning id
    )
    delete from webhook_bodies b using gone where b.workspace_id = ${workspaceId} and b.event_id = gone.id`.execute(tx);
}
