import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Lease } from './leases.ts';

/** The result of one attempt, as it is written. */
export interface AttemptRecord {
  deliveryId: string;
  /** Which attempt it was, from 1; 0: none was made. */
  attempt: number;
  status: 'pending' | 'succeeded' | 'failed' | 'discarded';
  /** Until the next attempt; null: there is none. */
  delaySeconds: number | null;
  url: string | null;
  responseStatus: number | null;
  responseBody: string | null;
  tookMs: number | null;
  error: string | null;
  startedAt: Date;
}

/**
 * Writes attempts of one endpoint, if its lease is still ours: a process that was taken for dead changes nothing. An
 * attempt that is already on record (its commit was answered by nobody) is not counted again. Returns how many were
 * written.
 */
export async function recordAttempts(db: Db, lease: Lease, records: readonly AttemptRecord[]): Promise<number> {
  const column = <T>(pick: (record: AttemptRecord) => T): T[] => records.map(pick);
  const { rows } = await sql<{ written: number }>`
    with held as materialized (
      select from webhook_leases
       where workspace_id = ${lease.workspaceId} and webhook_id = ${lease.webhookId} and token = ${lease.token} for share
    ), made as (
      select * from unnest(
        ${column((r) => r.deliveryId)}::uuid[], ${column((r) => r.attempt)}::smallint[],
        ${column((r) => r.status)}::text[], ${column((r) => r.delaySeconds)}::double precision[],
        ${column((r) => r.url)}::text[], ${column((r) => r.responseStatus)}::integer[],
        ${column((r) => r.responseBody)}::text[], ${column((r) => r.tookMs)}::integer[],
        ${column((r) => r.error)}::text[], ${column((r) => r.startedAt)}::timestamptz[])
        as m (id, attempt, status, delay, url, response_status, response_body, took_ms, error, at)
    ), written as (
      update webhook_deliveries d set
        status = m.status,
        attempt = greatest(m.attempt, d.attempt),
        next_attempt_at = clock_timestamp() + make_interval(secs => m.delay),
        url = coalesce(m.url, d.url),
        response_status = m.response_status, response_body = m.response_body, response_time_ms = m.took_ms,
        error = m.error,
        attempts = case when m.attempt = 0 then d.attempts else d.attempts || jsonb_build_array(jsonb_build_object(
          'at', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', m.response_status,
          'response_time_ms', m.took_ms, 'error', m.error)) end,
        delivered_at = case when m.status = 'succeeded' then clock_timestamp() end
        from made m, held
       where d.workspace_id = ${lease.workspaceId} and d.id = m.id and d.webhook_id = ${lease.webhookId}
         and d.status = 'pending' and (m.attempt = 0 or d.attempt = m.attempt - 1)
      returning 1
    )
    select count(*) as written from written`.execute(db);
  return rows[0]?.written ?? 0;
}
