-- Conditions on contacts, with a name. The members of a segment are asked for each time, and stored nowhere. Segments
-- of a deleted workspace go behind its contacts (contact_purges).
create table contact_segments (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  filter jsonb not null,
  -- The segments that the filter names, which cannot be deleted before it.
  uses uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
