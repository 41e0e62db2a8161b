import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { aWorkspace } from '../test/harness/builders.ts';

const PAGE = 100_000;

/**
 * Emails of the API with a content and a request each, audit entries and events, over half a year; as many of each, in
 * turn of every workspace. Set-based, without the triggers that count.
 */
export async function fillLists(
  db: Db,
  home: string,
  { rows, workspaces }: { rows: number; workspaces: number },
): Promise<void> {
  const ids = [home];
  while (ids.length < workspaces) ids.push(await aWorkspace(db));
  for (let from = 0; from < rows; from += PAGE) {
    const count = Math.min(PAGE, rows - from);
    await db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`set local synchronous_commit = off`.execute(tx);
      await sql`
        create temporary table made on commit drop as
          select n, (${ids}::uuid[])[1 + n % ${ids.length}::integer] as workspace_id,
                 -- the time of acceptance is in the id: from half a year ago until now
                 (overlay(ph_uuidv7()::text placing substr(t, 1, 8) || '-' || substr(t, 9, 4) from 1 for 13))::uuid as id,
                 ph_uuidv7() as content_id, now() - make_interval(secs => (${rows}::integer - n) * 15552000.0 / ${rows}::integer) as at
            from generate_series(${from}::integer, ${from + count - 1}::integer) n
           cross join lateral (
             select lpad(to_hex((extract(epoch from now()) * 1000
                      - (${rows}::integer - n) * 15552000000.0 / ${rows}::integer)::bigint), 12, '0') as t) as time`.execute(
        tx,
      );
      await sql`
        insert into contents (workspace_id, id, from_address, from_name, from_domain, subject, html, text, tags)
        select m.workspace_id, m.content_id,
               case when m.n % 50000 = 7 then 'rare' when m.n % 3 = 0 then 'news' else 'hello' end || '@posthorn.test',
               'Acme', 'posthorn.test', case m.n % 4 when 0 then 'Your receipt ' else 'Your code ' end || m.n,
               '<p>Hello ' || repeat(md5(m.n::text), 8) || '</p>', null,
               jsonb_build_array(jsonb_build_object('name', 'kind', 'value',
                 case m.n % 4 when 0 then 'receipt' else 'login' end))
          from made m`.execute(tx);
      await sql`
        insert into send_requests (workspace_id, id, content_id, source, total)
        select m.workspace_id, m.id, m.content_id, 'api', 1 from made m`.execute(tx);
      await sql`
        insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, attempts, sent_at,
          delivered_at, last_event_at, created_at)
        select m.workspace_id, m.id, m.id, m.content_id, 'ada' || m.n % 200000 || '@example.com', 1, 0,
               case when m.n % 2000 = 0 then 'bounced' else 'delivered' end, 1, m.at, m.at, m.at, m.at
          from made m`.execute(tx);
      await sql`
        insert into email_events (workspace_id, id, email_id, type, recipient, at, sequence)
        select m.workspace_id, ph_uuidv7(), m.id, case m.n % 2 when 0 then 'send' else 'delivery' end,
               'ada' || m.n % 200000 || '@example.com', m.at, 1
          from made m`.execute(tx);
      await sql`
        insert into audit_entries (workspace_id, at, actor_type, actor_id, actor_email, ip, action, target_type,
          target_id, details)
        select m.workspace_id, m.at, 'user', md5((m.n % 20)::text)::uuid,
               (array['ada', 'bob', 'carla', 'dmitri'])[1 + m.n % 4] || '@example.com', '192.0.2.1',
               (array['suppression.added', 'suppression.removed', 'issue.updated'])[1 + m.n % 3], 'suppression',
               m.n::text, null
          from made m`.execute(tx);
    });
  }
  await sql`vacuum analyze emails, contents, send_requests, email_events, audit_entries`.execute(db);
}
