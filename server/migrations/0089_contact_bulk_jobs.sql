-- Actions on all contacts that meet a filter, page by page in the background. They end 30 days after their completion,
-- and those of a deleted workspace with its contacts (contact_purges).
create table contact_bulk_jobs (
  workspace_id uuid not null,
  id uuid not null,
  filter jsonb not null,
  action jsonb not null,
  status text not null default 'queued',
  -- Contacts that met the filter before the first page; null: not counted yet.
  count integer,
  -- Contacts that met the filter when their page came.
  processed integer not null default 0,
  changed integer not null default 0,
  undone integer not null default 0,
  -- Everybody up to this id has had their turn.
  at_id uuid,
  -- The newest contact when the job was made: later ones are left alone.
  last_id uuid,
  error text,
  lease_token uuid,
  lease_until timestamptz,
  served_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (workspace_id, id),
  constraint contact_bulk_jobs_status_check
    check (status in ('queued', 'processing', 'completed', 'failed', 'undoing', 'undone'))
);
create index contact_bulk_jobs_waiting on contact_bulk_jobs (served_at)
  where status in ('queued', 'processing', 'undoing');
create index contact_bulk_jobs_ended on contact_bulk_jobs (completed_at) where completed_at is not null;

-- The contacts that a job has changed, as they were before, for its undo. They end with the undo, or 24 hours after the
-- job; sooner when a contact is deleted or erased, or opts out itself.
create table contact_bulk_changes (
  workspace_id uuid not null,
  job_id uuid not null,
  contact_id uuid not null,
  email text not null,
  before jsonb not null,
  changed_at timestamptz not null,
  primary key (workspace_id, job_id, contact_id),
  foreign key (workspace_id, job_id) references contact_bulk_jobs (workspace_id, id) on delete cascade
);
create index contact_bulk_changes_of_contact on contact_bulk_changes (workspace_id, contact_id);
create index contact_bulk_changes_of_email on contact_bulk_changes (workspace_id, email);
