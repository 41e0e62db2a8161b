-- When a workspace had its last turn of imports or exports. Turns go round the workspaces: one with many files waits
-- behind another with one.
create table transfer_turns (
  workspace_id uuid not null references workspaces on delete cascade,
  kind text not null check (kind in ('import', 'export')),
  served_at timestamptz not null,
  primary key (workspace_id, kind)
);
