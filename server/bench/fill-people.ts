import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';

const PAGE = 100_000;

/** Everything that grows with people and time and is in no other `fill-…`: as many of each. */
export async function fillPeople(
  db: Db,
  workspaceId: string,
  { rows, scheduledId }: { rows: number; scheduledId: string },
): Promise<{ listId: string }> {
  const listId = newId();
  await sql`insert into contact_lists (workspace_id, id, name, contact_count)
    values (${workspaceId}, ${listId}, 'Everybody', ${rows})`.execute(db);
  for (let from = 0; from < rows; from += PAGE) {
    const numbers = sql`generate_series(${from}::integer, ${Math.min(rows, from + PAGE) - 1}::integer)`;
    await db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`set local synchronous_commit = off`.execute(tx);
      await sql`
        create temporary table made on commit drop as
          select n, ph_uuidv7() as id, 'ada' || n || '@example.com' as email,
                 now() - make_interval(secs => (${rows}::integer - n) * 7.8) as at
            from ${numbers} as n`.execute(tx);
      await sql`
        insert into contacts (workspace_id, id, email, first_name, properties, created_at)
        select ${workspaceId}, id, email, 'Ada', jsonb_build_object('plan', 'pro'), at from made`.execute(tx);
      await sql`
        insert into contact_list_members (workspace_id, list_id, contact_id, created_at)
        select ${workspaceId}, ${listId}, id, at from made`.execute(tx);
      await sql`
        insert into suppressions (workspace_id, id, email, reason, created_at)
        select ${workspaceId}, id, 'gone-' || email,
               (array['hard_bounce', 'complaint', 'manual', 'unsubscribe'])[1 + n % 4], at from made`.execute(tx);
      await sql`
        insert into captured_emails (workspace_id, id, email_id, message_id, envelope_from, envelope_to, subject, mime,
          size, captured_at)
        select ${workspaceId}, id, ph_uuidv7(), id || '@posthorn.test', 'hello@posthorn.test', array[email],
               'Your code ' || n, '', 2000, at from made`.execute(tx);
      await sql`
        insert into inbound_emails (workspace_id, id, domain_id, received_at, digest, size, envelope_from, envelope_to,
          client_ip, read_at, from_email, from_name, subject, message_id, text)
        select ${workspaceId}, id, ${listId}, at, decode(md5(n::text), 'hex'), 2000, email, array['help@posthorn.test'],
               '192.0.2.1', at, email, 'Ada', 'A question ' || n, id || '@example.com', 'Hello' from made`.execute(tx);
      await sql`
        insert into security_log (workspace_id, id, at, actor_type, actor_email, ip, action)
        select ${workspaceId}, id, at, 'user', email, '192.0.2.1', 'user.signed_in' from made`.execute(tx);
      // Of one that the API made, because its body is not for anybody else to write.
      await sql`
        insert into scheduled_emails (workspace_id, id, scheduled_for, from_domain, body, search, is_test, created_by,
          created_at, updated_at)
        select s.workspace_id, m.id, s.scheduled_for + make_interval(secs => m.n), s.from_domain, s.body, s.search,
               s.is_test, s.created_by, m.at, m.at
          from made m
         cross join scheduled_emails s
         where s.workspace_id = ${workspaceId} and s.id = ${scheduledId}`.execute(tx);
    });
  }
  await sql`
    vacuum analyze contacts, contact_list_members, suppressions, captured_emails, inbound_emails, security_log,
      scheduled_emails`.execute(db);
  return { listId };
}
