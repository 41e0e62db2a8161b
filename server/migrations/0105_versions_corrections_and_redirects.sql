-- A paused issue may get another content (decision 0137). Liquid of an issue reads its subject and preheader, and an
-- email reads those of the version that it was claimed with. Without rows the issue has had one version.
create table issue_versions (
  workspace_id uuid not null,
  issue_id uuid not null,
  content_version smallint not null,
  content_id uuid not null,
  subject text not null,
  preheader text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, issue_id, content_version),
  foreign key (workspace_id, issue_id) references issues (workspace_id, id) on delete cascade
);

-- A correction is a draft that goes to exactly those who were sent a mailing, or one version of its content (decision
-- 0151). They are read from the emails of that send, when the correction is sent.
create table broadcast_corrections (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  corrects_id uuid not null,
  corrects_send_id uuid not null,
  content_version smallint, -- null: all of them
  primary key (workspace_id, broadcast_id),
  foreign key (workspace_id, broadcast_id) references broadcasts (workspace_id, id) on delete cascade
);

create table issue_corrections (
  workspace_id uuid not null,
  issue_id uuid not null,
  corrects_id uuid not null,
  corrects_send_id uuid not null,
  content_version smallint,
  primary key (workspace_id, issue_id),
  foreign key (workspace_id, issue_id) references issues (workspace_id, id) on delete cascade
);

-- Where a tracked link of mail that has left leads from now on (decision 0152). `target` as the author wrote it.
create table link_redirects (
  workspace_id uuid not null,
  send_id uuid not null,
  link text not null,
  target text not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, send_id, link)
);

create index link_redirects_changed on link_redirects (changed_at);
