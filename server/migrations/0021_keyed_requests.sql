-- A request with an Idempotency-Key that calls another server, or works long, must hold no transaction meanwhile. Its
-- key is claimed here first; the kept answer takes the place of the claim. A claim whose process died runs out by its
-- lease. A table of its own: processes of the release before read idempotency_keys, and expect an answer in every row.
create table idempotency_claims (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  route text not null,
  key text not null,
  claim uuid not null,
  leased_until timestamptz not null,
  primary key (workspace_id, route, key)
);
-- A claim is deleted within seconds, so most entries are dead: never wait for a share of a table that is nearly empty.
alter table idempotency_claims set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The headers that a repeated answer has too (Link, X-Unknown-Fields and others). Null: an answer from before.
alter table idempotency_keys add column headers jsonb;
