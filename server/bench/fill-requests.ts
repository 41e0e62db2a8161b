import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

const PAGE = 100_000;

/** Requests of a program over a quarter of a year, with the bodies that the log keeps; one in forty was refused. */
export async function fillRequests(db: Db, workspaceId: string, rows: number): Promise<void> {
  for (let from = 0; from < rows; from += PAGE) {
    const until = Math.min(rows, from + PAGE) - 1;
    await sql`
      insert into api_requests (workspace_id, id, at, request_id, method, route, path, status, error, duration_ms,
        actor_type, actor_name, ip, user_agent, request_body, response_body, email_ids, job_ids, mentions)
      select ${workspaceId}, ph_uuidv7(), now() - make_interval(secs => (${rows}::integer - n) * 7.8), 'req_' || md5(n::text),
             'POST', '/v1/send', '/v1/send', case when n % 40 = 0 then 422 else 200 end,
             case when n % 40 = 0 then 'validation_error' end, 3 + n % 20, 'api_key', 'prod', '192.0.2.1', 'posthorn-node/1.0',
             '{"to":"[redacted]","subject":"' || repeat(md5(n::text), 8) || '"}', '{"success":true}', '{}', '{}', '{}'
        from generate_series(${from}::integer, ${until}::integer) as n`.execute(db);
  }
  await sql`vacuum analyze api_requests`.execute(db);
}
