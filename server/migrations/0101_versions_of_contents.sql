-- A bulk send that is paused may get another content: its next version. The claim gives an email the version that the
-- send has at that moment, so the row says which one left (decision 0137).
alter table send_requests add column content_version smallint not null default 1;

-- The contents that a send had before, by their versions.
create table replaced_contents (
  workspace_id uuid not null,
  send_id uuid not null,
  content_version smallint not null,
  content_id uuid not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, send_id, content_version)
);

-- The variables of a version of a broadcast after the first, the same for everybody.
create table broadcast_versions (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  content_version smallint not null,
  content_id uuid not null,
  variables jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, broadcast_id, content_version),
  foreign key (workspace_id, broadcast_id) references broadcasts (workspace_id, id) on delete cascade
);
