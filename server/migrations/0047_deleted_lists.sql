-- Lists that were deleted and whose consents are kept. Without a foreign key: the consents of a deleted workspace are
-- removed page by page, and the row tells which.
create table deleted_lists (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  -- -infinity: nobody needs its consents any more
  deleted_at timestamptz not null,
  primary key (workspace_id, id)
);
