-- Stored templates.

create table templates (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  name text not null,
  alias text,
  -- The newest version, and the one that sends; null: none was published yet.
  version integer not null,
  published_version integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint templates_alias_key unique (workspace_id, alias)
);

-- A version never changes, but for being published. It ends with its template; drafts that are far behind end before.
create table template_versions (
  workspace_id uuid not null,
  template_id uuid not null,
  version integer not null,
  subject text,
  preheader text,
  html text,
  text text,
  "from" text,
  reply_to text[] not null default '{}',
  layout text,
  -- As their author gave them.
  declared jsonb not null default '[]',
  samples jsonb not null default '[]',
  -- All that the version asks for, with those of its layouts and partials.
  variables jsonb not null,
  -- Copies of its layouts and partials, so that nothing changes under a version that was published.
  pinned jsonb not null,
  -- The names of these, and the ids of the templates that they stood for.
  names text[] not null default '{}',
  uses uuid[] not null default '{}',
  published_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (workspace_id, template_id, version),
  foreign key (workspace_id, template_id) references templates (workspace_id, id) on delete cascade
);
