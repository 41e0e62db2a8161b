import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { hasNotBegun } from '../../queries/has-not-begun.ts';
import { suppressEmails } from '../../pause/queries/suppress-waiting.ts';

/** By the index of subscribers; locked in the order of the emails' ids, like everywhere. */
export async function stopWaitingOfSubscribers(
  tx: Db,
  left: readonly { workspaceId: string; subscriberId: string }[],
  limit: number,
): Promise<void> {
  const waiting = sql`
    select e.workspace_id, e.id
      from unnest(${left.map((one) => one.workspaceId)}::uuid[], ${left.map((one) => one.subscriberId)}::uuid[])
             as l (workspace_id, subscriber_id)
      join emails e on e.workspace_id = l.workspace_id and e.subscriber_id = l.subscriber_id
     where ${hasNotBegun}
     order by e.id limit ${limit} for update of e`;
  await suppressEmails(tx, waiting, 'unsubscribed');
}
