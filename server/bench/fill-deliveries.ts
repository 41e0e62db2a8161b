import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

const PAGE = 100_000;

/** Deliveries to one webhook with the attempt that each took; one in a hundred has failed. */
export async function fillDeliveries(db: Db, workspaceId: string, webhookId: string, rows: number): Promise<void> {
  for (let from = 0; from < rows; from += PAGE) {
    const until = Math.min(rows, from + PAGE) - 1;
    await sql`
      insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type, status, attempt,
        next_attempt_at, url, response_status, response_body, response_time_ms, error, attempts, delivered_at, created_at)
      select ${workspaceId}, ph_uuidv7(), ${webhookId}, ph_uuidv7(), 'delivery',
             case when n % 100 = 0 then 'failed' else 'succeeded' end, 1, null, 'https://93.184.216.34/hook',
             case when n % 100 = 0 then 500 else 200 end, repeat('ok ', 60), 40, null,
             jsonb_build_array(jsonb_build_object('at', now(), 'status', 200, 'time_ms', 40)), at, at
        from generate_series(${from}::integer, ${until}::integer) as n
       cross join lateral (select now() - make_interval(secs => (${rows}::integer - n) * 7.8) as at) as time`.execute(
      db,
    );
  }
  await sql`vacuum analyze webhook_deliveries`.execute(db);
}
