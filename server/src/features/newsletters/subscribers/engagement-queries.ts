import { sql } from 'kysely';
import type { HumanEngagement } from '#features/feedback';
import type { Db } from '#platform/db/database.ts';

/**
 * When subscribers last read something, in the transaction that counts the opens and clicks.
 *
 * Only what is later than what is there is written, locked in one order, and no column of an index is: the row stays on
 * its page (HOT).
 */
export async function noteEngagement(tx: Db, engaged: readonly HumanEngagement[]): Promise<void> {
  const input = JSON.stringify(
    engaged.map((one) => ({
      workspace_id: one.workspaceId,
      email_id: one.emailId,
      opened_at: one.openedAt,
      clicked_at: one.clickedAt,
    })),
  );
  await sql`
    with latest as materialized (
      select e.workspace_id, e.subscriber_id, max(i.opened_at) as opened_at, max(i.clicked_at) as clicked_at
        from jsonb_to_recordset(${input}::jsonb)
          as i (workspace_id uuid, email_id uuid, opened_at timestamptz, clicked_at timestamptz)
        join emails e on e.workspace_id = i.workspace_id and e.id = i.email_id and e.subscriber_id is not null
       group by e.workspace_id, e.subscriber_id
    ), behind as materialized (
      select s.workspace_id, s.id, l.opened_at, l.clicked_at
        from latest l join subscribers s on s.workspace_id = l.workspace_id and s.id = l.subscriber_id
       where coalesce(l.opened_at > s.last_opened_at, l.opened_at is not null)
          or coalesce(l.clicked_at > s.last_clicked_at, l.clicked_at is not null)
       order by s.workspace_id, s.id for update of s
    )
    update subscribers s
       set last_opened_at = greatest(s.last_opened_at, b.opened_at), last_clicked_at = greatest(s.last_clicked_at, b.clicked_at)
      from behind b where s.workspace_id = b.workspace_id and s.id = b.id`.execute(tx);
}
