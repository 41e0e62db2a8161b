import { sql } from 'kysely';
import type { MailShown } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';

export interface LastAnswers {
  /** When the provider took an email of the workspace: the last by order of acceptance, in each of three states. */
  lastSuccessAt: Date | null;
  lastFault: { at: Date; outcome: string; response: string | null } | null;
}

/** How far back a fault is looked for: an old one says nothing about now. */
const FAULTS_LOOKED_AT = 100;

/** The provider's last answers to the mail of a workspace. */
export async function findLastAnswers(db: Db, workspaceId: string, shown: MailShown): Promise<LastAnswers> {
  const hidden = [
    ...(shown.withSystemMail ? [] : [sql`s.source = 'system'`]),
    ...(shown.newsletterIds.length === 0 ? [] : [sql`s.newsletter_id <> all (${shown.newsletterIds}::uuid[])`]),
    sql`false`,
  ];
  const { rows } = await sql<LastAnswers>`
    select (select max(newest.sent_at)
              from (values ('sent'), ('delivered'), ('bounced')) as state (name)
             cross join lateral (
               select e.sent_at from emails e where e.workspace_id = ${workspaceId} and e.status = state.name
                  and e.status::text not in ('pending', 'sending')
                order by e.workspace_id desc, e.status desc, e.id desc limit 1) as newest) as "lastSuccessAt",
           (select jsonb_build_object('at', a.ended_at, 'outcome', a.outcome, 'response', a.response)
              from (select * from email_attempts t where t.workspace_id = ${workspaceId}
                     order by t.workspace_id desc, t.id desc limit ${FAULTS_LOOKED_AT}) a
              join emails e on e.workspace_id = a.workspace_id and e.id = a.email_id
              left join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
             where a.outcome <> 'resent' and (${sql.join(hidden, sql` or `)}) is not true
             order by a.id desc limit 1) as "lastFault"`.execute(db);
  const { lastSuccessAt = null, lastFault = null } = rows[0] ?? {};
  return { lastSuccessAt, lastFault: lastFault === null ? null : { ...lastFault, at: new Date(lastFault.at) } };
}

export interface Newest {
  email: string | null;
  event: string | null;
  /** Of the counts, which each outcome adds to. */
  count: string | null;
}

/** The newest rows of a workspace: another one than before says that something has changed. */
export async function findNewest(db: Db, workspaceId: string): Promise<Newest> {
  const { rows } = await sql<Newest>`
    select (select e.id from emails e where e.workspace_id = ${workspaceId}
             order by e.workspace_id desc, e.id desc limit 1) as email,
           (select v.id from email_events v where v.workspace_id = ${workspaceId}
             order by v.workspace_id desc, v.id desc limit 1) as event,
           (select c.id from email_counts c where c.workspace_id = ${workspaceId}
             order by c.workspace_id desc, c.id desc limit 1) as count`.execute(db);
  return rows[0] ?? { email: null, event: null, count: null };
}
