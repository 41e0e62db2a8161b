import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/**
 * Up to `limit` emails to these subscribers that still say to whom, and are on their way to nobody. A webhook that was
 * rendered before its event was emptied may be stored after that, so one that has a body is looked at again.
 */
export async function listEmailsToErase(
  db: Db,
  workspaceId: string,
  subscriberIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from emails e
     where e.workspace_id = ${workspaceId} and e.subscriber_id = any (${[...subscriberIds]}::uuid[])
       and e.status not in ('pending', 'queued', 'deferred', 'sending')
       -- Of mail to many, an email whose outcome is unknown is never sent again by itself, and may stay so for ever.
       and (e.status <> 'unconfirmed' or e.lane = 2)
       and (e.recipient not like 'erased-%@erased.invalid' or exists (
         select from email_events v where v.workspace_id = e.workspace_id and v.email_id = e.id
            and (v.recipient not like 'erased-%' or exists (
              select from webhook_bodies b where b.workspace_id = v.workspace_id and b.event_id = v.id))))
       -- A raw message names its recipients itself. It is erased when none of them waits for it.
       and not exists (
         select from contents c join emails o on o.workspace_id = c.workspace_id and o.send_id = e.send_id
          where c.workspace_id = e.workspace_id and c.id = e.content_id and c.mime is not null
            and o.status in ('pending', 'queued', 'deferred', 'sending', 'unconfirmed'))
     order by e.id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Addresses of these emails that are not erased yet, each once. */
export async function listAddresses(db: Db, workspaceId: string, emailIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ recipient: string }>`
    select distinct e.recipient from emails e
     where e.workspace_id = ${workspaceId} and e.id = any (${[...emailIds]}::uuid[])
       and e.recipient not like 'erased-%@erased.invalid'`.execute(db);
  return rows.map((row) => row.recipient);
}

export async function listEventsOfEmails(db: Db, workspaceId: string, emailIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select v.id from email_events v
     where v.workspace_id = ${workspaceId} and v.email_id = any (${[...emailIds]}::uuid[])`.execute(db);
  return rows.map((row) => row.id);
}

export async function eraseEvents(tx: Db, workspaceId: string, emailIds: readonly string[]): Promise<void> {
  await sql`
    update email_events set recipient = 'erased-' || email_id || '@erased.invalid', event_data = '{"erased": true}'
     where workspace_id = ${workspaceId} and email_id = any (${[...emailIds]}::uuid[])`.execute(tx);
}

export async function eraseAttempts(tx: Db, workspaceId: string, emailIds: readonly string[]): Promise<void> {
  await sql`
    update email_attempts set response = 'erased'
     where workspace_id = ${workspaceId} and email_id = any (${[...emailIds]}::uuid[]) and response like '%@%'`.execute(
    tx,
  );
}

export async function eraseRecipients(tx: Db, workspaceId: string, emailIds: readonly string[]): Promise<void> {
  await sql`
    update emails
       set recipient = 'erased-' || id || '@erased.invalid', recipient_typed = null, recipient_name = null,
           error = case when error like '%@%' then 'erased' else error end
     where workspace_id = ${workspaceId} and id = any (${[...emailIds]}::uuid[])`.execute(tx);
}

/** The raw messages of these emails, for all their recipients: the bytes cannot be divided. */
export async function eraseRawMessages(tx: Db, workspaceId: string, emailIds: readonly string[]): Promise<void> {
  await sql`
    update contents c
       set mime = '', message_id = '<erased-' || c.id || '@erased.invalid>', subject = 'erased', reply_to = '[]'
     where c.workspace_id = ${workspaceId} and c.mime <> ''
       and c.id in (select e.content_id from emails e
                     where e.workspace_id = ${workspaceId} and e.id = any (${[...emailIds]}::uuid[]))`.execute(tx);
}
