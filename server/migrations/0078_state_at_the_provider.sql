-- How the delivery service sees domains, and addresses that it is to take off its own list.

alter table provider_identities
  -- Of the last look; null: none yet.
  add column seen_at timestamptz,
  add column is_found boolean,
  -- In the words of the service.
  add column dkim_status text,
  add column takes_mail boolean;

-- A lifted suppression whose address the service may still refuse.
create table suppression_lifts (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  email text not null,
  asked_at timestamptz not null default now(),
  tries integer not null default 0,
  next_try_at timestamptz not null default now(),
  primary key (workspace_id, email)
);
create index suppression_lifts_due on suppression_lifts (next_try_at);
