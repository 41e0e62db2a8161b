import { type RawBuilder, sql } from 'kysely';

interface OfSend {
  workspaceId: string;
  audienceId: string;
  sendId: string;
}

/**
 * The next active subscribers of a newsletter, in the order of the unique index. A page reads only the rows that it
 * passes, without a sort: it took the same time at the end of a million as at the start. The statement that freezes
 * recipients embeds it. Of a correction it has those who were sent what is corrected: it passes the emails of that
 * send and not the list. One of the halves is empty, and found to be so before its first row.
 */
export const pageOfActiveSubscribers = (of: OfSend, after: string | null, limit: number): RawBuilder<unknown> => sql`
  select recipient, recipient_name, recipient_id, false as passed_over from (
    (${listed(of, after, limit)})
    union all
    (${mailed(of, after, limit)})
  ) next
   order by recipient limit ${limit}`;

const listed = (of: OfSend, after: string | null, limit: number): RawBuilder<unknown> => sql`
  select s.email as recipient, s.name as recipient_name, s.id as recipient_id
    from subscribers s
   where s.workspace_id = ${of.workspaceId} and s.newsletter_id = ${of.audienceId} and s.status = 'active'
     and not exists (${correctionOf(of)})
     and ${after === null ? sql`true` : sql`s.email > ${after}`}
   order by s.workspace_id, s.newsletter_id, s.email limit ${limit}`;

/** Each of an index of its own: of the emails of a send by their recipients, and of the list by its addresses. */
const mailed = (of: OfSend, after: string | null, limit: number): RawBuilder<unknown> => sql`
  select s.email, s.name, s.id
    from emails e
    join subscribers s on s.workspace_id = ${of.workspaceId} and s.newsletter_id = ${of.audienceId}
                      and s.email = e.recipient and s.status = 'active'
   where e.workspace_id = ${of.workspaceId} and e.lane = 2 and e.sent_at is not null
     and e.send_id = (select k.corrects_send_id from (${correctionOf(of)}) k)
     and e.content_version = coalesce((select k.content_version from (${correctionOf(of)}) k), e.content_version)
     and ${after === null ? sql`true` : sql`e.recipient > ${after}`}
   order by e.workspace_id, e.send_id, e.recipient limit ${limit}`;

const correctionOf = ({ workspaceId, sendId }: OfSend): RawBuilder<unknown> => sql`
  select c.corrects_send_id, c.content_version
    from issues i join issue_corrections c on c.workspace_id = i.workspace_id and c.issue_id = i.id
   where i.workspace_id = ${workspaceId} and i.send_id = ${sendId}`;
