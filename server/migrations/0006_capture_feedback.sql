-- What the capture provider kept, and what providers told us about emails before we applied it.

create table captured_emails (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  email_id uuid not null,
  message_id text not null,
  envelope_from text not null,
  envelope_to text[] not null,
  subject text not null,
  mime bytea not null,
  size integer not null,
  -- Mail of the system itself (resets, invitations) holds links that sign people in: not for every reader.
  is_system boolean not null default false,
  captured_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index captured_emails_of_email on captured_emails (workspace_id, email_id);

create table provider_events (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  email_id uuid not null,
  type text not null,
  recipient text not null,
  at timestamptz not null default now(),
  payload jsonb not null,
  applied_at timestamptz,
  primary key (workspace_id, id)
);
create index provider_events_waiting on provider_events (at) where applied_at is null;
