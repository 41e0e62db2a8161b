import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Ids from `after` (left out) to `before` (left out): ids begin with the time. */
export interface Span {
  after: string;
  before: string;
}

/** `last`: the last id that was looked at; null: the span is done. */
export interface PageDone {
  removed: number;
  last: string | null;
}

/**
 * Removes emails that can no longer change by themselves, with their events and (by cascade) their attempts. Emails
 * that still wait or are being sent stay, however old they are. The counts of bulk sends stay.
 */
export async function deleteOldEmails(db: Db, workspaceId: string, span: Span, page: number): Promise<PageDone> {
  const { rows } = await sql<PageDone>`
    with page as materialized (
      select e.id from emails e
       where e.workspace_id = ${workspaceId} and e.id > ${span.after} and e.id < ${span.before}
         and e.status not in ('pending', 'queued', 'deferred', 'sending')
       order by e.id limit ${page} for update skip locked
    ), events as (
      delete from email_events v using page p where v.workspace_id = ${workspaceId} and v.email_id = p.id
    ), gone as (
      delete from emails e using page p where e.workspace_id = ${workspaceId} and e.id = p.id returning e.id
    )
    select (select count(*)::integer from gone) as removed,
           (select id from page order by id desc limit 1) as last`.execute(db);
  return rows[0] ?? { removed: 0, last: null };
}

/**
 * Removes sends that have no emails any more, with their content and files. The record of a bulk send stays, because
 * its issue or broadcast shows its counts; only its content goes.
 */
export async function deleteOldSends(db: Db, workspaceId: string, span: Span, page: number): Promise<PageDone> {
  const { rows } = await sql<PageDone>`
    with page as materialized (
      select s.id, s.content_id, s.bulk_state is not null as is_bulk from send_requests s
       where s.workspace_id = ${workspaceId} and s.id > ${span.after} and s.id < ${span.before}
         and coalesce(s.bulk_state, 'released') in ('released', 'cancelled')
       order by s.id limit ${page}
    ), free as materialized (
      select p.* from page p
       where not exists (select from emails e where e.workspace_id = ${workspaceId} and e.send_id = p.id)
    ), gone as (
      delete from send_requests s using free f
       where s.workspace_id = ${workspaceId} and s.id = f.id and not f.is_bulk returning s.id
    ), contents as (
      delete from contents c using free f
       where c.workspace_id = ${workspaceId} and c.id = f.content_id and not f.is_bulk
    ), variants as (
      delete from contents c using free f
       where c.workspace_id = ${workspaceId} and c.variant_of = f.content_id and not f.is_bulk
    ), versions as materialized (
      select f.content_id from free f where f.is_bulk
      union all
      select o.content_id from free f join replaced_contents o on o.workspace_id = ${workspaceId} and o.send_id = f.id
    ), emptied as (
      update contents c set html = null, text = null, personal = null from versions v
       where c.workspace_id = ${workspaceId} and c.id = v.content_id
         and (c.html is not null or c.text is not null or c.personal is not null)
    )
    select (select count(*)::integer from gone) as removed,
           (select id from page order by id desc limit 1) as last`.execute(db);
  return rows[0] ?? { removed: 0, last: null };
}

/** Removes batches that have no sends any more. */
export async function deleteOldBatches(db: Db, workspaceId: string, span: Span, page: number): Promise<PageDone> {
  const { rows } = await sql<PageDone>`
    with page as materialized (
      select b.id from batches b
       where b.workspace_id = ${workspaceId} and b.id > ${span.after} and b.id < ${span.before}
       order by b.id limit ${page}
    ), gone as (
      delete from batches b using page p
       where b.workspace_id = ${workspaceId} and b.id = p.id and not exists (
         select from send_requests s where s.workspace_id = ${workspaceId} and s.batch_id = b.id)
      returning b.id
    )
    select (select count(*)::integer from gone) as removed,
           (select id from page order by id desc limit 1) as last`.execute(db);
  return rows[0] ?? { removed: 0, last: null };
}

/** Removes the IP address and the user agent from opens and clicks. The events, their links and verdicts stay. */
export async function removeClientData(db: Db, workspaceId: string, span: Span, page: number): Promise<PageDone> {
  const { rows } = await sql<PageDone>`
    with page as materialized (
      select v.id, v.type from email_events v
       where v.workspace_id = ${workspaceId} and v.id > ${span.after} and v.id < ${span.before}
       order by v.id limit ${page}
    ), cleared as (
      update email_events v
         set event_data = jsonb_set(v.event_data, array[v.type],
           (v.event_data -> v.type) || '{"ipAddress":null,"userAgent":null}')
        from page p
       where v.workspace_id = ${workspaceId} and v.id = p.id and p.type in ('open', 'click')
         and coalesce(v.event_data #>> array[v.type, 'ipAddress'], v.event_data #>> array[v.type, 'userAgent']) is not null
      returning v.id
    )
    select (select count(*)::integer from cleared) as removed,
           (select id from page order by id desc limit 1) as last`.execute(db);
  return rows[0] ?? { removed: 0, last: null };
}
