import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';
import { idBefore } from './id-before.ts';

/**
 * Removes provider events that were applied long ago: the event of the email says the same. Until then a repeated one
 * is known by its semantic key. An email that the provider rejected keeps its state without them. At most `limit` of
 * each workspace; returns how many it found.
 */
export const deleteOldEvents = (db: Db, olderThanDays: number, limit: number): Promise<number> =>
  removePage(
    db,
    sql`
      -- every workspace: what is old is old everywhere; by the primary key, whose ids begin with the time
      select w.id as workspace_id, o.id
        from workspaces w
        cross join lateral (
          select e.id from provider_events e
           where e.workspace_id = w.id
             and e.id < ${idBefore(olderThanDays * 24)}
             and e.applied_at is not null
           order by e.id
           limit ${limit}) o`,
    sql`delete from provider_events p using page where p.workspace_id = page.workspace_id and p.id = page.id`,
  );

/** Removes a page of the events of a deleted workspace; returns how many it found. */
export const deletePageOfProviderEvents = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select id from provider_events where workspace_id = ${workspaceId} limit ${page}`,
    sql`delete from provider_events where workspace_id = ${workspaceId} and id in (select id from page)`,
  );
