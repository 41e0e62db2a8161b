import { type RawBuilder, sql } from 'kysely';

/**
 * The next active subscribers of a newsletter, in the order of the unique index. A page reads only the rows that it
 * passes, without a sort: it took the same time at the end of a million as at the start. The statement that freezes
 * recipients embeds it. Of a correction it has those who were sent what is corrected; for other issues the first half
 * of that condition is looked up once for the page.
 */
export const pageOfActiveSubscribers = (
  of: { workspaceId: string; audienceId: string; sendId: string },
  after: string | null,
  limit: number,
): RawBuilder<unknown> => sql`
  select s.email as recipient, s.name as recipient_name, s.id as recipient_id, false as passed_over
    from subscribers s
   where s.workspace_id = ${of.workspaceId} and s.newsletter_id = ${of.audienceId} and s.status = 'active'
     and (not exists (${correctionOf(of)})
          or exists (select from (${correctionOf(of)}) k
                       join emails e on e.workspace_id = ${of.workspaceId} and e.send_id = k.corrects_send_id
                        and e.recipient = s.email and e.lane = 2
                      where e.sent_at is not null
                        and (k.content_version is null or e.content_version = k.content_version)))
     and ${after === null ? sql`true` : sql`s.email > ${after}`}
   order by s.workspace_id, s.newsletter_id, s.email limit ${limit}`;

const correctionOf = ({ workspaceId, sendId }: { workspaceId: string; sendId: string }): RawBuilder<unknown> => sql`
  select c.corrects_send_id, c.content_version
    from issues i join issue_corrections c on c.workspace_id = i.workspace_id and c.issue_id = i.id
   where i.workspace_id = ${workspaceId} and i.send_id = ${sendId}`;
