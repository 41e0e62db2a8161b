import { type RawBuilder, sql } from 'kysely';

/**
 * The next active subscribers of a newsletter, in the order of the unique index. A page reads only the rows that it
 * passes, without a sort: it took the same time at the end of a million as at the start. The statement that freezes
 * recipients embeds it.
 */
export const pageOfActiveSubscribers = (
  of: { workspaceId: string; audienceId: string },
  after: string | null,
  limit: number,
): RawBuilder<unknown> => sql`
  select s.email as recipient, s.name as recipient_name, s.id as recipient_id, false as passed_over
    from subscribers s
   where s.workspace_id = ${of.workspaceId} and s.newsletter_id = ${of.audienceId} and s.status = 'active'
     and ${after === null ? sql`true` : sql`s.email > ${after}`}
   order by s.workspace_id, s.newsletter_id, s.email limit ${limit}`;
