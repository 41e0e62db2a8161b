-- The runs of people through automations (decision 0139).
create table automation_runs (
  workspace_id uuid not null,
  id uuid not null,
  automation_id uuid not null,
  version integer not null,
  -- The identity of the address.
  email text not null,
  newsletter_id uuid,
  -- The data that the event brought.
  payload jsonb not null,
  -- The value of the correlation; null: there is none.
  correlation text,
  status text not null default 'active' check (status in ('active', 'completed', 'exited', 'failed')),
  reason text,
  -- Asked for by `POST /:id/test`: counted nowhere.
  is_test boolean not null,
  -- Begun with a test key: its emails stay on the server.
  sandbox boolean not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (workspace_id, id),
  check ((status = 'active') = (ended_at is null))
);
create index automation_runs_of_automation on automation_runs (workspace_id, automation_id, id);
create index automation_runs_by_status on automation_runs (workspace_id, automation_id, status, id);
create index automation_runs_of_person on automation_runs (workspace_id, email);
create index automation_runs_active on automation_runs (workspace_id, id) where status = 'active';
create index automation_runs_ended on automation_runs (ended_at) where ended_at is not null;

create table automation_steps (
  workspace_id uuid not null,
  run_id uuid not null,
  position smallint not null,
  key text not null,
  type text not null,
  status text not null check (status in ('waiting', 'completed', 'failed', 'skipped')),
  started_at timestamptz not null,
  completed_at timestamptz,
  output jsonb,
  error text,
  primary key (workspace_id, run_id, position),
  foreign key (workspace_id, run_id) references automation_runs (workspace_id, id) on delete cascade
);

-- One row for each active run.
create table automation_due (
  workspace_id uuid not null,
  run_id uuid not null,
  automation_id uuid not null,
  email text not null,
  kind text not null check (kind in ('due', 'event', 'hold')),
  due_at timestamptz not null,
  -- The step that it is at, and the place of its record.
  step text not null,
  position smallint not null default 0,
  -- Whether the step has begun to wait.
  is_waiting boolean not null default false,
  -- The event that it waits for, and what came.
  awaits text,
  heard jsonb,
  attempts smallint not null default 0,
  failing_since timestamptz,
  -- A call that is under way.
  lease uuid,
  primary key (workspace_id, run_id),
  foreign key (workspace_id, run_id) references automation_runs (workspace_id, id) on delete cascade,
  check (kind <> 'event' or awaits is not null)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);
create index automation_due_by_time on automation_due (workspace_id, due_at) where kind <> 'hold';
create index automation_due_held on automation_due (workspace_id, automation_id) where kind = 'hold';
create index automation_due_of_person on automation_due (workspace_id, email);

-- The people who entered each version. The key is the correlation, or empty.
create table automation_entries (
  workspace_id uuid not null,
  automation_id uuid not null,
  version integer not null,
  email text not null,
  key text not null,
  run_id uuid not null,
  -- May enter again so long after this; null: never.
  again_after_seconds bigint,
  entered_at timestamptz not null,
  primary key (workspace_id, automation_id, version, email, key),
  foreign key (workspace_id, automation_id) references automations (workspace_id, id) on delete cascade
);
create index automation_entries_of_person on automation_entries (workspace_id, email);

create function ph_count_started_runs() returns trigger language plpgsql as $$
begin
  insert into automation_counts (workspace_id, automation_id, enrolled, active)
  select workspace_id, automation_id, count(*), count(*) from added where not is_test group by workspace_id, automation_id;
  return null;
end
$$;

create function ph_count_ended_runs() returns trigger language plpgsql as $$
begin
  insert into automation_counts (workspace_id, automation_id, active, completed, exited, failed)
  select a.workspace_id, a.automation_id, -count(*), count(*) filter (where a.status = 'completed'),
         count(*) filter (where a.status = 'exited'), count(*) filter (where a.status = 'failed')
    from after_change a join before_change b on b.workspace_id = a.workspace_id and b.id = a.id
   where not a.is_test and b.status = 'active' and a.status <> 'active'
   group by a.workspace_id, a.automation_id;
  return null;
end
$$;

-- A run that is deleted while it is active belongs to an erased person. Runs of a deleted automation count nowhere.
create function ph_count_deleted_runs() returns trigger language plpgsql as $$
begin
  insert into automation_counts (workspace_id, automation_id, active)
  select r.workspace_id, r.automation_id, -count(*)
    from removed r
    join automations a on a.workspace_id = r.workspace_id and a.id = r.automation_id and a.deleted_at is null
   where not r.is_test and r.status = 'active'
   group by r.workspace_id, r.automation_id;
  return null;
end
$$;

create trigger automation_runs_started after insert on automation_runs referencing new table as added
  for each statement execute function ph_count_started_runs();
create trigger automation_runs_ended after update on automation_runs
  referencing old table as before_change new table as after_change
  for each statement execute function ph_count_ended_runs();
create trigger automation_runs_deleted after delete on automation_runs referencing old table as removed
  for each statement execute function ph_count_deleted_runs();

-- Issues that were sent, while their recipients are told to automations page by page.
create table automation_fan_outs (
  workspace_id uuid not null,
  id uuid not null,
  newsletter_id uuid not null,
  issue_id uuid not null,
  send_id uuid not null,
  -- The last email of the last page.
  after_email_id uuid,
  primary key (workspace_id, id)
);
