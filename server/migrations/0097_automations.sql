-- Automations: what is sent to a person when something happens (decision 0139).
create table automations (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null check (status in ('enabled', 'disabled')),
  -- The version that new runs take.
  version integer not null,
  -- Of the trigger of this version; lists are limited by it.
  newsletter_id uuid,
  -- Everything that any version starts with, awaits or ends with: runs of older versions go on.
  heard text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Its runs go page by page, and then the row.
  deleted_at timestamptz,
  primary key (workspace_id, id)
);
create index automations_enabled on automations (workspace_id, id) where status = 'enabled' and deleted_at is null;
create index automations_deleted on automations (deleted_at) where deleted_at is not null;

create table automation_versions (
  workspace_id uuid not null,
  automation_id uuid not null,
  version integer not null,
  -- Trigger, re-entry, correlation, exits, goal and steps, as the API shows them.
  definition jsonb not null,
  -- The events that end or wake runs of it.
  listens text[] not null,
  template_ids uuid[] not null,
  created_by uuid,
  created_at timestamptz not null,
  primary key (workspace_id, automation_id, version),
  foreign key (workspace_id, automation_id) references automations (workspace_id, id) on delete cascade
);

-- Runs by what became of them. A tally: rows are changes, a service folds them, and a read adds them up.
create table automation_counts (
  workspace_id uuid not null,
  id uuid not null default ph_uuidv7(),
  automation_id uuid not null,
  enrolled bigint not null default 0,
  active bigint not null default 0,
  completed bigint not null default 0,
  exited bigint not null default 0,
  failed bigint not null default 0,
  folded boolean not null default false,
  primary key (workspace_id, id),
  foreign key (workspace_id, automation_id) references automations (workspace_id, id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);
create index automation_counts_of on automation_counts (workspace_id, automation_id);
create index automation_counts_unfolded on automation_counts (workspace_id, automation_id) where not folded;
