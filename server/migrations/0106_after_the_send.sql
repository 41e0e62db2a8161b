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
