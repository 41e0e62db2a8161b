-- Who delivers to which endpoint, apart from the endpoint itself: a DELETE has to wait for the process that holds the
-- lease, and could not see it in a row that is gone (decision 0023). No foreign key for the same reason.

create table webhook_leases (
  workspace_id uuid not null,
  webhook_id uuid not null,
  -- null: nobody's. Then `until` is when it was given back, which makes the turns of the endpoints.
  token uuid,
  until timestamptz not null default now(),
  primary key (workspace_id, webhook_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 1);

alter table webhooks
  drop column lease_token,
  drop column lease_until,
  -- Since the last success: with `failing_since` it says that an endpoint has done nothing but fail for days.
  add column failed_attempts integer not null default 0,
  -- When its owners were told that it has failed for a day.
  add column failing_notice_at timestamptz;
create index webhooks_failing on webhooks (failing_since) where enabled and failing_since is not null;

alter table webhook_deliveries
  -- Of a range: comes after what is new, with one attempt in five for itself.
  add column is_replay boolean not null default false,
  -- When a failed one was queued anew; it is not queued again.
  add column replayed_at timestamptz;

-- Live deliveries stand before replays, each by the time they are due.
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (workspace_id, webhook_id, is_replay, next_attempt_at)
  where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (workspace_id, webhook_id, id) where status = 'failed';
