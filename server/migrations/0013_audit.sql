-- Actions on records, for people to read: best effort, appended after the fact. Actions that must never be lost are
-- in security_log, which commits with its action.

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
-- Read newest first together with security_log; without this order each read would sort.
create index audit_entries_by_time on audit_entries (workspace_id, at desc, seq desc);
create trigger audit_entries_append_only before update on audit_entries
  for each row execute function ph_refuse_change();
