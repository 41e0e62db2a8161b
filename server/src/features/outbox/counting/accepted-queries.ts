import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/ids.ts';

/** How far the clocks of processes, which make the ids, may be from that of the database. */
const CLOCK_SKEW_MS = 300_000;

/**
 * Recipients from a domain, or of all of a workspace (`domainId` null), that were accepted since `since`, the beginning
 * of a quarter of an hour: those that the counts know, those that wait, and further recipients of one message.
 * Suppressed ones are not among them. Mail that was accepted before and sent since is: a limit that is set now errs on
 * the safe side.
 */
export async function countAccepted(
  db: Db,
  { workspaceId, domainId, since }: { workspaceId: string; domainId: string | null; since: Date },
): Promise<number> {
  const ofDomain = (column: RawBuilder<unknown>) => (domainId === null ? sql`` : sql`and ${column} = ${domainId}`);
  // One state at a time, or those of one index: together they would be looked for among all emails there are.
  const waiting = (status: RawBuilder<unknown>) => sql`
    (select coalesce(sum(e.cost), 0)
       from emails e join contents k on k.workspace_id = e.workspace_id and k.id = e.content_id
      where e.workspace_id = ${workspaceId} and ${status} and not e.sandbox and e.created_at >= ${since}
        ${ofDomain(sql`k.domain_id`)})`;
  // The index of messages to several has no times, and their ids begin with one.
  const firstId = firstIdAt(new Date(since.getTime() - CLOCK_SKEW_MS));
  const { rows } = await sql<{ total: number }>`
    select (select coalesce(sum(c.sent + c.failed), 0) from email_counts c
             where c.workspace_id = ${workspaceId} and c.quarter >= ${since} ${ofDomain(sql`c.domain_id`)} and c.tag = '')
         + ${waiting(sql`e.status in ('queued', 'deferred', 'unconfirmed')`)} + ${waiting(sql`e.status = 'sending'`)}
         + (select coalesce(sum(e.cost - 1), 0)
              from emails e join contents k on k.workspace_id = e.workspace_id and k.id = e.content_id
             where e.workspace_id = ${workspaceId} and e.grouped is not null and e.sent_at is not null
               and e.id >= ${firstId}::uuid and e.created_at >= ${since} ${ofDomain(sql`k.domain_id`)}) as total`.execute(
    db,
  );
  return Number(rows[0]?.total ?? 0);
}
