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
