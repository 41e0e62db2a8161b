-- Webhooks: endpoints, what is to be delivered to each, and the events that belong to no email. A delivery is a row
-- from the transaction of the event itself: there is no second queue to keep in step.

create table webhooks (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  url text not null,
  secret bytea not null,
  -- Signs beside the new one until then (rotation).
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- Values of the catalogue, or '*'.
  events text[] not null check (cardinality(events) > 0),
  -- Empty: every newsletter, every domain.
  newsletter_ids uuid[] not null default '{}',
  domain_ids uuid[] not null default '{}',
  description text,
  enabled boolean not null default true,
  disabled_reason text,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- The first failure since the last success: how long it has failed altogether.
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Since the last success: with `failing_since` it says that an endpoint has done nothing but fail for days.
  failed_attempts integer not null default 0,
  -- When its owners were told that it has failed for a day.
  failing_notice_at timestamptz,
  primary key (workspace_id, id)
) with (fillfactor = 70);
create index webhooks_failing on webhooks (failing_since) where enabled and failing_since is not null;

-- The lease of each endpoint, apart from the endpoint itself: a DELETE has to wait for the process that holds the
-- lease, and could not see it in a row that is gone (decision 0023). No foreign key for the same reason. One process
-- at a time delivers to an endpoint, so that its limit of requests at once holds for all processes together.
create table webhook_leases (
  workspace_id uuid not null,
  webhook_id uuid not null,
  -- null: nobody's. Then `until` is when it was given back, which makes the turns of the endpoints.
  token uuid,
  until timestamptz not null default now(),
  primary key (workspace_id, webhook_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 1);

-- No foreign keys: rows are written where mail is accepted (decision 0020).
create table webhook_deliveries (
  workspace_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  is_test boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'discarded')),
  -- Attempts made since the delivery, or its replay, was queued.
  attempt smallint not null default 0,
  -- null: over.
  next_attempt_at timestamptz default now(),
  -- Of the last attempt.
  url text,
  response_status integer,
  response_body text,
  response_time_ms integer,
  error text,
  -- Every attempt: at, status, response_time_ms, error.
  attempts jsonb not null default '[]',
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  -- Of a range: comes after what is new, with one attempt in five for itself.
  is_replay boolean not null default false,
  -- When a failed one was queued anew; it is not queued again.
  replayed_at timestamptz,
  primary key (workspace_id, id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 1);
-- Live deliveries stand before replays, each by the time they are due.
create index webhook_deliveries_due on webhook_deliveries (workspace_id, webhook_id, is_replay, next_attempt_at)
  where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (workspace_id, webhook_id, id) where status = 'failed';
create index webhook_deliveries_of_webhook on webhook_deliveries (workspace_id, webhook_id, id);
create index webhook_deliveries_age on webhook_deliveries (created_at);

-- The bytes of an event, fixed when they are first sent: the same in every attempt, to every endpoint, in every
-- replay.
create table webhook_bodies (
  workspace_id uuid not null,
  event_id uuid not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, event_id)
);
create index webhook_bodies_age on webhook_bodies (created_at);

-- Events that belong to no email (those of newsletters, domains); events of emails are in email_events.
create table workspace_events (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  at timestamptz not null default now(),
  -- The envelope without id, type, times and workspace.
  payload jsonb not null,
  primary key (workspace_id, id)
);
create index workspace_events_age on workspace_events (at);
-- Erasing somebody finds the events that carry their address.
create index workspace_events_of_subscriber on workspace_events (workspace_id, ((payload #>> '{subscriber,id}')))
  where payload ? 'subscriber';
