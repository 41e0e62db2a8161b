import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** A run, by its key. */
export interface Place {
  workspaceId: string;
  runId: string;
}

/** `last` is the last run that was looked at; null: there are no more. */
export async function countStuckBehind(
  db: Db,
  after: Place | null,
  limit: number,
): Promise<{ stuck: number; last: Place | null }> {
  const { rows } = await sql<{ stuck: number; last: Place | null }>`
    -- every workspace: a figure of the instance.
    with looked as materialized (
      select r.workspace_id, r.id from automation_runs r
       where r.status = 'active'
         and (r.workspace_id, r.id) > (coalesce(${after?.workspaceId ?? null}::uuid, '00000000-0000-0000-0000-000000000000'),
                                       coalesce(${after?.runId ?? null}::uuid, '00000000-0000-0000-0000-000000000000'))
       order by r.workspace_id, r.id limit ${limit}
    )
    select (select count(*)::integer from looked l
             where not exists (select from automation_due d
                                where d.workspace_id = l.workspace_id and d.run_id = l.id)
) as stuck,
           (select jsonb_build_object('workspaceId', l.workspace_id, 'runId', l.id) from looked l
             order by l.workspace_id, l.id offset ${limit - 1} limit 1) as last`.execute(db);
  return rows[0] ?? { stuck: 0, last: null };
}
