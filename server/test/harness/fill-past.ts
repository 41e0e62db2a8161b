/**
 * A database with a past: many rows of each kind that a queue leaves behind, of the last weeks, all of them done, and
 * none old enough to be removed; and with a future, which waits for its time. Triggers and foreign keys are off
 * meanwhile, so that it takes seconds.
 */
import pg from 'pg';

export interface PastKind {
  table: string;
  rows: number;
  columns: string;
  /** Of row `n`, with the workspace `w`, the id `id` and the time `at`. */
  values: string;
  /** So old is the oldest of them; below the days after which its rows are removed. Negative: so far ahead. */
  days: number;
}

const THOUSAND = 1_000;

export const PAST: readonly PastKind[] = [
  {
    table: 'provider_events',
    rows: 60 * THOUSAND,
    days: 29,
    columns: 'workspace_id, id, email_id, type, recipient, at, payload, applied_at',
    values: `w, id, id, 'delivery', n || '@example.com', at, '{}', at`,
  },
  {
    table: 'provider_notifications',
    rows: 60 * THOUSAND,
    days: 29,
    columns: 'source, id, body, received_at, next_try_at, processed_at, outcome',
    values: `'ses', id::text, case when at > now() - interval '7 days' then '{}'::bytea else '' end, at, at, at, 'applied'`,
  },
  {
    table: 'provider_events',
    // Every ten minutes, the look for events that fit no email reads all that wait.
    rows: 1_500,
    days: -300,
    columns: 'workspace_id, id, email_id, type, recipient, at, payload',
    values: `w, id, id, 'delivery', n || '@example.com', at, '{}'`,
  },
  {
    table: 'provider_notifications',
    rows: 20 * THOUSAND,
    days: -300,
    columns: 'source, id, body, received_at, next_try_at',
    values: `'ses', 'later ' || id, '{}', now(), at`,
  },
  {
    table: 'emails',
    rows: 40 * THOUSAND,
    days: 80,
    columns:
      'workspace_id, id, send_id, content_id, recipient, lane, turn, status, attempts, sent_at, delivered_at, created_at',
    values: `w, id, id, id, n || '@example.com', n % 3, n, 'delivered', 1, at, at, at`,
  },
  {
    table: 'email_events',
    rows: 40 * THOUSAND,
    days: 29,
    columns: 'workspace_id, id, email_id, type, recipient, at',
    values: `w, id, id, 'delivery', n || '@example.com', at`,
  },
  {
    table: 'send_requests',
    rows: 20 * THOUSAND,
    days: 80,
    columns:
      'workspace_id, id, content_id, source, total, created_at, bulk_state, audience_kind, audience_id, broadcast_id',
    values: `w, id, id, 'api', 1, at, 'released', 'subscribers', id, id`,
  },
  {
    table: 'send_counts',
    rows: 20 * THOUSAND,
    days: 80,
    columns: 'workspace_id, id, send_id, total, sent, folded',
    values: `w, id, id, 1, 1, true`,
  },
  {
    table: 'webhook_deliveries',
    rows: 60 * THOUSAND,
    days: 28,
    columns:
      'workspace_id, id, webhook_id, event_id, event_type, status, attempt, next_attempt_at, delivered_at, created_at',
    values: `w, id, hook, id, 'delivery', case when n % 100 = 0 then 'failed' else 'succeeded' end, 1, null, at, at`,
  },
  {
    table: 'webhook_bodies',
    rows: 20 * THOUSAND,
    days: 28,
    columns: 'workspace_id, event_id, body, created_at',
    values: `w, id, '{}', at`,
  },
  {
    table: 'workspace_events',
    rows: 20 * THOUSAND,
    days: 28,
    columns: 'workspace_id, id, type, at, payload',
    values: `w, id, 'broadcast.sent', at, '{}'`,
  },
  {
    table: 'scheduled_emails',
    rows: 20 * THOUSAND,
    days: 80,
    columns:
      'workspace_id, id, status, scheduled_for, from_domain, body, search, is_test, created_by, finished_at, created_at, updated_at',
    values: `w, id, 'sent', at, 'posthorn.test', '{}', '', false, '{}', at, at, at`,
  },
  {
    table: 'automation_runs',
    rows: 60 * THOUSAND,
    days: 80,
    columns: 'workspace_id, id, automation_id, version, email, payload, status, is_test, sandbox, started_at, ended_at',
    values: `w, id, hook, 1, n || '@example.com', '{}', 'completed', false, false, at, at`,
  },
  {
    table: 'scheduled_emails',
    rows: 20 * THOUSAND,
    days: -300,
    columns:
      'workspace_id, id, status, scheduled_for, from_domain, body, search, is_test, created_by, created_at, updated_at',
    values: `w, id, 'scheduled', at, 'posthorn.test', '{}', '', false, '{}', at, at`,
  },
  {
    table: 'automation_due',
    rows: 60 * THOUSAND,
    days: -300,
    columns: 'workspace_id, run_id, automation_id, email, kind, due_at, step',
    values: `w, id, hook, n || '@example.com', 'due', at, 'wait'`,
  },
  {
    table: 'bulk_health',
    rows: 20 * THOUSAND,
    days: 80,
    columns: 'workspace_id, send_id, delivered',
    values: `w, id, 1`,
  },
  {
    table: 'broadcasts',
    rows: 20 * THOUSAND,
    days: 300,
    columns: 'workspace_id, id, name, status, subject, audience, sent_at, finished_at, started_at, scheduled_for',
    values: `w, id, 'Past', 'sent', 'Past', '{}', at, at, at, at`,
  },
  {
    table: 'issues',
    rows: 20 * THOUSAND,
    days: 300,
    columns:
      'workspace_id, id, newsletter_id, slug, subject, html_body, status, sent_at, finished_at, started_at, scheduled_for, in_search',
    values: `w, id, hook, 'issue-' || n, 'Past', '', 'sent', at, at, at, at, true`,
  },
  {
    table: 'imports',
    rows: 20 * THOUSAND,
    days: 300,
    columns: 'workspace_id, id, target_id, status, format, options, created_by, target_type, created_at, completed_at',
    values: `w, id, hook, 'completed', 'csv', '{}', '{}', 'contacts', at, at`,
  },
  {
    table: 'inbound_emails',
    rows: 20 * THOUSAND,
    days: 80,
    columns:
      'workspace_id, id, domain_id, received_at, digest, size, envelope_from, envelope_to, client_ip, read_at, next_try_at, from_email',
    values: `w, id, hook, at, id::text::bytea, 1, 'a@example.com', '{}', '192.0.2.1', at, at, 'a@example.com'`,
  },
  {
    table: 'inbound_arrivals',
    rows: 20 * THOUSAND,
    days: 29,
    columns: 'id, digest, received_at, envelope_from, recipients, verdicts, next_try_at, outcome',
    values: `id, id::text::bytea, at, '', '{}', '{}', at, case when n % 2 = 0 then 'taken' else 'refused' end`,
  },
  {
    table: 'suppressions',
    rows: 20 * THOUSAND,
    days: 300,
    columns: 'workspace_id, id, email, reason, created_at',
    values: `w, id, n || '@example.com', 'hard_bounce', at`,
  },
  {
    table: 'subscribers',
    rows: 20 * THOUSAND,
    days: 300,
    columns: 'workspace_id, id, newsletter_id, email, status, created_at, updated_at',
    values: `w, id, hook, n || '@example.com', 'active', at, at`,
  },
  {
    table: 'api_requests',
    rows: 20 * THOUSAND,
    days: 6,
    columns:
      'workspace_id, id, at, request_id, method, route, path, status, duration_ms, actor_type, ip, email_ids, job_ids, mentions',
    values: `w, id, at, 'req_' || n, 'GET', '/', '/', 200, 1, 'api_key', '192.0.2.1', '{}', '{}', '{}'`,
  },
  {
    table: 'audit_entries',
    rows: 20 * THOUSAND,
    days: 80,
    columns: 'workspace_id, at, actor_type, action, target_type, target_id',
    values: `w, at, 'system', 'created', 'email', id`,
  },
  {
    table: 'idempotency_keys',
    rows: 20 * THOUSAND,
    days: 0.9,
    columns: 'workspace_id, route, key, fingerprint, created_at',
    values: `w, 'POST /v1/send', n, '', at`,
  },
  {
    table: 'relay_sessions',
    rows: 20 * THOUSAND,
    days: 6,
    columns:
      'workspace_id, id, started_at, ended_at, ip, api_key_id, api_key_name, accepted, refused, refusals, job_ids',
    values: `w, id, at, at, '192.0.2.1', id, 'key', 1, 0, '[]', '{}'`,
  },
];

/** Of twenty workspaces with a webhook endpoint each, whose id newsletters, domains and automations have, too. */
export async function fillPast(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set session_replication_role = replica`);
    await client.query(`create temp table owners as
      select row_number() over () - 1 as place, ph_uuidv7() as w, ph_uuidv7() as hook from generate_series(1, 20)`);
    await client.query(`insert into workspaces (id, name, slug) select w, 'Past', 'past-' || place from owners`);
    await client.query(`insert into webhooks (workspace_id, id, url, secret, events)
      select w, hook, 'https://receiver.invalid/', '', '{delivery}' from owners`);
    for (const { table, rows, columns, values, days } of PAST) {
      await client.query(`
        insert into ${table} (${columns})
        select ${values}
          from generate_series(1, ${rows}) as n
          join owners on owners.place = n % 20
         cross join lateral (select now() - make_interval(secs => ${days * 86_400} * (1 - n::float8 / ${rows + 1}))) as t (at)
         cross join lateral (
           select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(n::text), 20))::uuid as id) as i`);
      await client.query(`vacuum analyze ${table}`);
    }
  } finally {
    await client.end();
  }
}
