-- The sessions of clients with the SMTP relay, for people who look for a fault. They are written soon after, at a
-- bounded rate, and kept for seven days.
create table relay_sessions (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- UUIDv7 of the start: the order of the list
  id uuid not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  ip text not null,
  tls text,
  client_name text,
  api_key_id uuid not null,
  api_key_name text not null,
  accepted integer not null,
  refused integer not null,
  -- the first 20: time, command, code, status and text, without addresses
  refusals jsonb not null,
  -- of the last 20 messages
  job_ids uuid[] not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);

create index relay_sessions_refused on relay_sessions (workspace_id, id) where refused > 0;
-- what is too old, of every workspace
create index relay_sessions_by_time on relay_sessions (started_at);

-- Sign-ins with keys that are nobody's: they belong to no workspace. The keys themselves are not kept.
create table relay_wrong_logins (
  -- an IPv4 address, or a /64 of IPv6
  network text primary key,
  -- the one that tried last
  address text not null,
  attempts bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null
);

create index relay_wrong_logins_by_time on relay_wrong_logins (last_at);
