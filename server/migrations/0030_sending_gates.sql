-- Workspaces whose mail the operator holds (paused) or stops (blocked). A claim reads this table once per statement, so
-- it has rows of such workspaces alone. `resuming`: mail that was held is being given back. `settled`: nothing is left
-- to be stopped or given back, as far as the last look could see.
create table sending_gates (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  state text not null check (state in ('paused', 'blocked', 'resuming')),
  settled boolean not null default false,
  changed_at timestamptz not null default now()
);

-- The quota of the plan: recipients a calendar month (UTC). Null: none.
alter table workspaces add column emails_per_month integer;
