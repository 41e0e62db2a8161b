-- One email, later. A row holds the request as it was made, because it is read anew when its time comes; the files of
-- it are rows of their own, so that neither lists nor changes read them.
create table scheduled_emails (
  workspace_id uuid not null,
  id uuid not null,
  status text not null default 'scheduled'
    check (status in ('scheduled', 'processing', 'sent', 'failed', 'cancelled')),
  -- Grows with every change. A change is made only to the version that was read.
  version integer not null default 1,
  scheduled_for timestamptz not null,
  timezone text,
  schedule_note text,
  max_delay_seconds integer check (max_delay_seconds >= 0),
  from_domain text not null,
  newsletter_id uuid,
  -- The fields of the request besides the ones that have a column.
  body jsonb not null,
  -- Its version is part of the body.
  template_id uuid generated always as ((body ->> 'templateId')::uuid) stored,
  html text,
  text text,
  -- Subject and addresses in lower case, for searches.
  search text not null,
  -- Made with a test key: it is kept on the server, whoever changes it.
  is_test boolean not null,
  created_by jsonb not null,
  api_key_id uuid,
  request_id text,
  batch_id uuid,
  batch_index smallint,
  job_id uuid,
  message_id text,
  error text,
  error_code text,
  cancelled_by jsonb,
  -- While it is processing: when its emails are looked at next.
  look_at timestamptz,
  started_at timestamptz,
  sent_at timestamptz,
  -- When it became sent, failed or cancelled. '-infinity': its workspace was deleted.
  finished_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  check ((status in ('sent', 'failed', 'cancelled')) = (finished_at is not null)),
  check ((status = 'processing') = (look_at is not null))
);
create index scheduled_emails_due on scheduled_emails (scheduled_for) where status = 'scheduled';
create index scheduled_emails_by_template on scheduled_emails (workspace_id, template_id, id)
  where status = 'scheduled' and template_id is not null;
create index scheduled_emails_processing on scheduled_emails (look_at) where status = 'processing';
create index scheduled_emails_finished on scheduled_emails (finished_at) where finished_at is not null;
create index scheduled_emails_by_time on scheduled_emails (workspace_id, scheduled_for);
create index scheduled_emails_by_status on scheduled_emails (workspace_id, status, id);

-- Kept until the email is accepted for sending, or will never be.
create table scheduled_attachments (
  workspace_id uuid not null,
  scheduled_id uuid not null,
  position smallint not null,
  filename text not null,
  content_type text not null,
  cid text,
  disposition text not null check (disposition in ('attachment', 'inline')),
  body bytea not null,
  primary key (workspace_id, scheduled_id, position),
  foreign key (workspace_id, scheduled_id) references scheduled_emails (workspace_id, id) on delete cascade
);
alter table scheduled_attachments alter column body set storage external;
