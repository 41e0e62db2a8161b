-- API keys, what they have used, and the answers kept for Idempotency-Key.

create table api_keys (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  name text not null,
  -- The first 12 characters as shown in lists; `hash` is SHA-256 of the whole key, which is never stored.
  prefix text not null,
  last4 text not null,
  hash bytea not null,
  scopes text[] not null,
  domain_ids uuid[] not null default '{}',
  newsletter_ids uuid[] not null default '{}',
  allowed_ips text[] not null default '{}',
  mode text not null check (mode in ('live', 'test')),
  -- 0 means unlimited.
  limit_hourly integer not null check (limit_hourly >= 0),
  limit_daily integer not null check (limit_daily >= 0),
  limit_monthly integer not null check (limit_monthly >= 0),
  enabled boolean not null default true,
  created_by uuid,
  last_used_at timestamptz,
  last_used_ip text,
  expires_at timestamptz,
  revoked_at timestamptz,
  rotated_from uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Global: a request starts with a key and no workspace. `lookup` is the beginning of the key's hash.
create table api_key_lookups (
  lookup text not null,
  workspace_id uuid not null,
  api_key_id uuid not null,
  primary key (lookup, workspace_id, api_key_id),
  foreign key (workspace_id, api_key_id) references api_keys (workspace_id, id) on delete cascade
);

-- Accepted send requests per key and window (UTC hour, day, calendar month). `cap` travels with the reservation so
-- that its ON CONFLICT … WHERE can compare; only tiers that have a limit are written in the accepting transaction.
create table key_usage (
  workspace_id uuid not null,
  api_key_id uuid not null,
  tier text not null check (tier in ('hourly', 'daily', 'monthly')),
  window_start timestamptz not null,
  used integer not null,
  cap integer not null,
  primary key (workspace_id, api_key_id, tier, window_start),
  foreign key (workspace_id, api_key_id) references api_keys (workspace_id, id) on delete cascade
);

create table idempotency_keys (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- Method and path as requested, then the caller's key: one key may be used on two routes.
  route text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint,
  -- Encrypted: an answer may hold a secret that is shown once.
  response bytea,
  created_at timestamptz not null default now(),
  primary key (workspace_id, route, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
