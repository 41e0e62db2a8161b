-- Tenants, people and how they sign in. Users, sessions and look-ups that start without a workspace are global;
-- everything that belongs to a workspace is keyed (workspace_id, id).

create table workspaces (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  timezone text not null default 'UTC',
  plan text not null default 'free',
  status text not null default 'active' check (status in ('active', 'paused', 'blocked')),
  -- The workspace of the first start: it owns posthorn.test and the instance's sender domains, and sends system mail.
  is_home boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- For sends that do not say.
  track_opens boolean not null default false,
  track_clicks boolean not null default false
);
create unique index workspaces_one_home on workspaces (is_home) where is_home;

create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text,
  password_hash text,
  email_verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- One row per sign-in. The refresh token rotates: only the hash of the newest is kept. An older one is recognised by
-- its signature; its use is taken for theft and ends the session.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  refresh_hash bytea not null unique,
  user_agent text,
  ip text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text
);
create index sessions_of_user on sessions (user_id);

-- Single-use links by mail: password reset and address verification. Only hashes are kept.
create table user_tokens (
  hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('reset_password', 'verify_email')),
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);

create table members (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'editor', 'publisher', 'viewer')),
  joined_at timestamptz not null default now(),
  last_seen_at timestamptz,
  primary key (workspace_id, user_id)
);
create index members_of_user on members (user_id);

create table invites (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'developer', 'editor', 'publisher', 'viewer')),
  invited_by uuid,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index invites_open on invites (workspace_id, email) where accepted_at is null and revoked_at is null;

-- Global: an invitation link starts without a workspace.
create table invite_tokens (
  hash bytea primary key,
  workspace_id uuid not null,
  invite_id uuid not null,
  foreign key (workspace_id, invite_id) references invites (workspace_id, id) on delete cascade
);

-- Security log: commits with the action it records (sign-ins, keys, roles), unlike the best-effort audit log.
create table security_log (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  at timestamptz not null default now(),
  actor_type text not null,
  actor_id uuid,
  actor_email text,
  ip text,
  action text not null,
  target_type text,
  target_id text,
  details jsonb not null default '{}',
  primary key (workspace_id, id)
);
create trigger security_log_append_only before update on security_log
  for each row execute function ph_refuse_change();
-- Read newest first together with audit_entries; without this order each read would sort.
create index security_log_by_time on security_log (workspace_id, at desc, id desc);

-- Workspaces that are gone and whose mail is still to be removed. The tables of the queue have no foreign key to
-- workspaces, and a large tenant is removed in pages, not while somebody waits for an answer.
create table purges (
  workspace_id uuid primary key,
  created_at timestamptz not null default now()
);
