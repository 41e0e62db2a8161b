import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { columnAssignments, columnNames, columnValues } from '#platform/db/record-columns.ts';
import { type CountedNewsletter, NEWSLETTER, type Newsletter, SETTINGS } from './newsletter.ts';

const columns = NEWSLETTER.columns('n');

export async function selectNewsletter(db: Db, workspaceId: string, id: string): Promise<Newsletter | undefined> {
  const { rows } = await sql<Newsletter>`
    select ${columns} from newsletters n where n.workspace_id = ${workspaceId} and n.id = ${id}`.execute(db);
  return rows[0];
}

/** By the slug it has, else by one it had and nobody has taken since. */
export async function selectNewsletterBySlug(db: Db, slug: string): Promise<Newsletter | undefined> {
  const { rows } = await sql<Newsletter>`
    -- every workspace: a public page starts from the slug alone.
    select ${columns} from (
      select workspace_id, newsletter_id, false as is_former from newsletter_slugs where slug = ${slug}
      union all
      select workspace_id, newsletter_id, true from newsletter_former_slugs where slug = ${slug}
      order by is_former limit 1
    ) s join newsletters n on n.workspace_id = s.workspace_id and n.id = s.newsletter_id`.execute(db);
  return rows[0];
}

/** Holds it until the transaction ends: changes and the deletion of one newsletter come one after the other. */
export async function lockNewsletter(tx: Db, workspaceId: string, id: string): Promise<Newsletter | undefined> {
  const { rows } = await sql<Newsletter>`
    select ${columns} from newsletters n where n.workspace_id = ${workspaceId} and n.id = ${id} for update`.execute(tx);
  return rows[0];
}

export interface NewslettersAsked {
  /** Only these; null: all. */
  ids: readonly string[] | null;
  after: string | null;
  offset: number;
  limit: number;
}

/** Newest first, with counts that are sums of a few rows each: no subscriber is counted. */
export async function pageOfNewsletters(
  db: Db,
  workspaceId: string,
  asked: NewslettersAsked,
): Promise<CountedNewsletter[]> {
  const { rows } = await sql<CountedNewsletter>`
    select ${columns}, c.pending, c.active, c.unsubscribed, i."issueCount", i."lastIssueSentAt"
      from (
        select * from newsletters n
         where n.workspace_id = ${workspaceId}
           and (${asked.ids}::uuid[] is null or n.id = any (${asked.ids}::uuid[]))
           and (${asked.after}::uuid is null or n.id < ${asked.after}::uuid)
         order by n.id desc limit ${asked.limit} offset ${asked.offset}
      ) n
      cross join lateral (
        select coalesce(sum(s.pending), 0) as pending, coalesce(sum(s.active), 0) as active,
               coalesce(sum(s.unsubscribed), 0) as unsubscribed
          from subscriber_counts s where s.workspace_id = n.workspace_id and s.newsletter_id = n.id
      ) c
      cross join lateral (
        select count(*) as "issueCount", max(s.sent_at) as "lastIssueSentAt"
          from issues s where s.workspace_id = n.workspace_id and s.newsletter_id = n.id
      ) i
     order by n.id desc`.execute(db);
  return rows;
}

/** Counted up to `max` and no further. */
export async function countNewsletters(
  db: Db,
  workspaceId: string,
  ids: readonly string[] | null,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from newsletters n where n.workspace_id = ${workspaceId}
         and (${ids}::uuid[] is null or n.id = any (${ids}::uuid[])) limit ${max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

export async function insertNewsletter(tx: Db, n: Newsletter): Promise<void> {
  await sql`
    insert into newsletters (workspace_id, id, created_at, updated_at, ${columnNames(SETTINGS)})
    values (${n.workspaceId}, ${n.id}, ${n.createdAt}, ${n.updatedAt}, ${columnValues(SETTINGS, n)})`.execute(tx);
}

export async function updateNewsletter(tx: Db, n: Newsletter): Promise<void> {
  await sql`
    update newsletters set updated_at = ${n.updatedAt}, ${columnAssignments(SETTINGS, n)}
     where workspace_id = ${n.workspaceId} and id = ${n.id}`.execute(tx);
}

/**
 * Gives a newsletter the slug in place of the one it had, which leads to it from now on; false when another has it,
 * whose row is left alone.
 */
export async function upsertSlug(tx: Db, workspaceId: string, id: string, slug: string): Promise<boolean> {
  const former = await sql<{ slug: string }>`
    delete from newsletter_slugs where workspace_id = ${workspaceId} and newsletter_id = ${id} and slug <> ${slug}
    returning slug`.execute(tx);
  const { rows } = await sql`
    insert into newsletter_slugs (slug, workspace_id, newsletter_id) values (${slug}, ${workspaceId}, ${id})
    on conflict (slug) do nothing returning slug`.execute(tx);
  if (rows.length === 0) return false;
  await sql`
    -- every workspace: a word that somebody takes leads to nobody else any more.
    delete from newsletter_former_slugs where slug = ${slug}`.execute(tx);
  for (const { slug: left } of former.rows) {
    await sql`
      insert into newsletter_former_slugs (workspace_id, slug, newsletter_id) values (${workspaceId}, ${left}, ${id})
      on conflict (slug) do update
        set workspace_id = excluded.workspace_id, newsletter_id = excluded.newsletter_id`.execute(tx);
  }
  return true;
}

/** Lets confirmation emails go again. */
export async function clearConfirmationsPause(tx: Db, workspaceId: string, id: string, now: Date): Promise<void> {
  await sql`
    update newsletters set confirmations_paused_at = null, updated_at = ${now}
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Which of these ids are no newsletter of the workspace. */
export async function listMissingNewsletters(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select w.id from unnest(${[...ids]}::uuid[]) as w (id)
     where not exists (select from newsletters n where n.workspace_id = ${workspaceId} and n.id = w.id)`.execute(db);
  return rows.map((row) => row.id);
}

/** Ends the issues of a newsletter that would still send, and returns all of them; a move under way is waited for. */
export async function cancelIssues(
  tx: Db,
  workspaceId: string,
  newsletterId: string,
  now: Date,
): Promise<{ id: string; sendId: string | null; wasSending: boolean; wasScheduled: boolean }[]> {
  const { rows } = await sql<{ id: string; sendId: string | null; wasSending: boolean; wasScheduled: boolean }>`
    with before as materialized (
      select id, send_id, status from issues
       where workspace_id = ${workspaceId} and newsletter_id = ${newsletterId} order by id for update
    ), moved as (
      update issues i set status = 'cancelled', cancelled_at = ${now}, updated_at = ${now}
        from before b
       where i.workspace_id = ${workspaceId} and i.id = b.id and b.status in ('scheduled', 'sending')
    )
    select id, send_id as "sendId", status = 'sending' as "wasSending", status = 'scheduled' as "wasScheduled"
      from before order by id`.execute(tx);
  return rows;
}

/** With its slug, which hangs on it. */
export async function deleteNewsletter(tx: Db, workspaceId: string, id: string): Promise<void> {
  await sql`delete from newsletters where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Its rows are removed later, page by page. */
export async function insertPurge(tx: Db, workspaceId: string, id: string): Promise<void> {
  await sql`
    insert into newsletter_purges (workspace_id, newsletter_id) values (${workspaceId}, ${id})
    on conflict do nothing`.execute(tx);
}

/** The newsletters of a workspace that is being deleted: their rows are removed later, page by page. */
export async function queuePurgesOfWorkspace(tx: Db, workspaceId: string): Promise<void> {
  await sql`
    insert into newsletter_purges (workspace_id, newsletter_id)
    select workspace_id, id from newsletters where workspace_id = ${workspaceId} on conflict do nothing`.execute(tx);
}
