-- What was done to which record, for people: best effort, appended after the fact. What must never be lost is in
-- security_log, which commits with its action.
create table audit_entries (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  seq bigint not null generated always as identity,
  at timestamptz not null,
  actor_type text not null,
  actor_id uuid,
  actor_email text,
  ip text,
  action text not null,
  target_type text not null,
  target_id text not null,
  details jsonb,
  primary key (workspace_id, seq)
);
create index audit_entries_of_target on audit_entries (workspace_id, target_type, target_id, seq);
create trigger audit_entries_append_only before update on audit_entries
  for each row execute function ph_refuse_change();
