import { type RawBuilder, sql } from 'kysely';
import { bulkSends } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';

/** Two follow-ups of one root choose one after another, so that the second sees whom the first has chosen. */
export async function awaitFollowUps(tx: Db, workspaceId: string, rootId: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${`follow-ups ${workspaceId} ${rootId}`}, 20))`.execute(tx);
}

/**
 * People but those who got another follow-up of the root, or are about to: its emails that were not stopped, and the
 * recipients of one that is being written.
 */
export const withoutFollowedUp = (
  workspaceId: string,
  people: RawBuilder<unknown>,
  { rootId, id }: { rootId: string; id: string },
): RawBuilder<unknown> => sql`
  select f.recipient_id, f.email, f.has_left from (${people}) f
   where not exists (
     select from broadcasts o
      where o.workspace_id = ${workspaceId} and o.follow_up_of = ${rootId} and o.id <> ${id} and o.send_id is not null
        and (${bulkSends.wasMailed(workspaceId, sql`o.send_id`, sql`f.email`)}
          or (o.status = 'sending' and exists (
            select from broadcast_recipients r
             where r.workspace_id = ${workspaceId} and r.broadcast_id = o.id and r.recipient = f.email))))`;
