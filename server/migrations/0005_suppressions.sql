-- The addresses that a workspace may not mail, and the bounces that may make an address one of them.

create table suppressions (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  -- The identity of the address: lower case, domain in ASCII.
  email text not null check (email = lower(email)),
  reason text not null check (reason in ('hard_bounce', 'soft_bounce', 'complaint', 'manual', 'unsubscribe')),
  source_email_id uuid,
  note text,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index suppressions_of_address on suppressions (workspace_id, email);
create index suppressions_by_time on suppressions (workspace_id, created_at desc, id desc);
-- Few suppressions have an end. The sweep finds those that have run out without reading all the others.
create index suppressions_that_expire on suppressions (expires_at) where expires_at is not null;

-- The newest transient bounces of an address since its last delivery; five suppress it.
create table soft_bounces (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  email text not null,
  times timestamptz[] not null,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, email)
);
