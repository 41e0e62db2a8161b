import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Counts of the emails of a send so far. */
interface SendOutcome {
  workspaceId: string;
  sendId: string;
  /** Emails that may still be handed over. */
  waiting: number;
  sent: number;
  suppressed: number;
  cancelled: number;
  /** The first email that the provider took, and its Message-ID is made from this domain. */
  firstSentId: string | null;
  fromDomain: string | null;
  /** Why one of them failed. */
  error: string | null;
}

/** The outcomes of many sends of any workspaces in one statement. A send that is gone has no emails. */
export async function outcomesOfSends(
  db: Db,
  sends: readonly { workspaceId: string; sendId: string }[],
): Promise<SendOutcome[]> {
  const { rows } = await sql<SendOutcome>`
    select t.workspace_id as "workspaceId", t.send_id as "sendId", o.*, c.from_domain as "fromDomain"
      from unnest(${sends.map((send) => send.workspaceId)}::uuid[], ${sends.map((send) => send.sendId)}::uuid[])
             as t (workspace_id, send_id)
     cross join lateral (
       select (count(*) filter (where e.status in ('pending', 'queued', 'deferred', 'sending', 'unconfirmed')))::integer as waiting,
              (count(*) filter (where ${wasSent}))::integer as sent,
              (count(*) filter (where e.status = 'suppressed'))::integer as suppressed,
              (count(*) filter (where e.status = 'cancelled'))::integer as cancelled,
              (array_agg(e.id order by e.id) filter (where ${wasSent}))[1] as "firstSentId",
              min(e.error) filter (where e.status = 'failed') as error
         from emails e where e.workspace_id = t.workspace_id and e.send_id = t.send_id) o
      left join send_requests s on s.workspace_id = t.workspace_id and s.id = t.send_id
      left join contents c on c.workspace_id = s.workspace_id and c.id = s.content_id`.execute(db);
  return rows;
}

const wasSent = sql`e.status in ('sent', 'delivery_delayed', 'delivered', 'bounced', 'complained')`;
