-- Lists that come in and go out as files: subscribers today, contacts and suppressions later. The feature that owns a
-- list removes them with it, in the same transaction, so no foreign key leads to one kind of list. A file is kept in
-- pieces while it is worked on, so that no process ever holds it whole, and a process that takes over knows where to
-- go on. Rows of pieces and results have no foreign key: they are many, and are removed with or after their import by
-- page.

-- A file on its way in.
create table imports (
  workspace_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  -- uploading: the file is still arriving, and nobody is shown it. undoing: what it made is being removed.
  status text not null default 'uploading'
    check (status in ('uploading', 'queued', 'processing', 'completed', 'failed', 'cancelled', 'undoing', 'undone')),
  format text not null check (format in ('csv', 'jsonl')),
  options jsonb not null,
  -- How the file is laid out, once its beginning has been read: separator, columns.
  layout jsonb,
  bytes bigint not null default 0,
  -- Where reading goes on: everything before is committed.
  at_byte bigint not null default 0,
  at_line integer not null default 1,
  total integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  removed integer not null default 0,
  results integer not null default 0,
  -- Confirmation emails that this import still has to send, and how many it has sent.
  confirmations_due boolean not null default false,
  confirmations_sent integer not null default 0,
  confirmations_at timestamptz not null default now(),
  error text,
  created_by jsonb not null,
  ip text,
  -- One process works on it: while its lease lasts, and only with its token.
  lease_token uuid,
  lease_until timestamptz,
  served_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  undone_at timestamptz,
  -- Confirmation emails go out slowly, in the order of the rows: after this one they go on.
  confirmations_after uuid,
  target_type text not null,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspaces (id) on delete cascade
);
create index imports_open on imports (served_at) where status in ('queued', 'processing', 'undoing');
create index imports_to_confirm on imports (confirmations_at) where confirmations_due;
create index imports_by_age on imports (created_at);
create index imports_of_target on imports (workspace_id, target_id, id desc);

create table import_parts (
  workspace_id uuid not null,
  import_id uuid not null,
  part integer not null,
  bytes bytea not null,
  primary key (workspace_id, import_id, part)
);
-- Compressing what is read once and removed costs more than it saves.
alter table import_parts alter column bytes set storage external;

-- Results of rows that need looking at; the rows of a dry run all do.
create table import_results (
  workspace_id uuid not null,
  import_id uuid not null,
  line integer not null,
  email text not null,
  result text not null check (result in ('created', 'updated', 'skipped', 'failed')),
  reason text,
  message text,
  primary key (workspace_id, import_id, line)
);
create index import_results_of_address on import_results (workspace_id, email);

-- A file on its way out.
create table exports (
  workspace_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed')),
  format text not null check (format in ('csv', 'jsonl')),
  filters jsonb not null,
  -- The address after which it goes on.
  cursor text,
  parts integer not null default 0,
  rows integer not null default 0,
  bytes bigint not null default 0,
  error text,
  created_by jsonb not null,
  lease_token uuid,
  lease_until timestamptz,
  served_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  target_type text not null,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspaces (id) on delete cascade
);
create index exports_open on exports (served_at) where status in ('queued', 'processing');
create index exports_by_age on exports (created_at);

create table export_parts (
  workspace_id uuid not null,
  export_id uuid not null,
  part integer not null,
  -- gzip, each part by itself.
  bytes bytea not null,
  primary key (workspace_id, export_id, part)
);
alter table export_parts alter column bytes set storage external;
