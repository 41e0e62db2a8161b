-- Workspaces that are gone and whose mail is still to be removed. The tables of the queue have no foreign key to
-- workspaces, and a large tenant is removed in pages, not while somebody waits for an answer.

create table purges (
  workspace_id uuid primary key,
  created_at timestamptz not null default now()
);
