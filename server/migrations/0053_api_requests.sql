-- The log of the requests of each workspace to the API, for people who look for a fault. It is written in batches soon
-- after the answer, at a bounded rate, and kept for seven days.
create table api_requests (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- UUIDv7 of the answer: the order of the list
  id uuid not null,
  at timestamptz not null,
  -- the caller may choose it, so that it can repeat
  request_id text not null,
  method text not null,
  route text not null,
  path text not null,
  query text,
  status smallint not null,
  error text,
  duration_ms double precision not null,
  actor_type text not null,
  actor_id uuid,
  actor_name text,
  ip text not null,
  user_agent text,
  -- JSON without secrets and without the texts of mail, at most about 8 KB each
  request_body text,
  response_body text,
  email_ids uuid[] not null,
  job_ids uuid[] not null,
  -- addresses and ids in this row, in lower case: one who is erased is found by them
  mentions text[] not null,
  is_erased boolean not null default false,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);

create index api_requests_by_request_id on api_requests (workspace_id, request_id);
create index api_requests_failed on api_requests (workspace_id, id) where status >= 400;
-- what is too old, of every workspace
create index api_requests_by_time on api_requests (at);
create index api_requests_mentions on api_requests using gin (mentions);
