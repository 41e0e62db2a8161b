-- The newsletters whose pending subscribers are reminded now. A call asks for all of them, and the reminders leave a
-- few in each second. The place in the list says where the last second ended.
create table newsletter_reminders (
  workspace_id uuid not null,
  newsletter_id uuid not null,
  -- Subscribers who were asked later than this are left out.
  asked_before timestamptz not null,
  -- The caller had a test key: the reminders stay in the sandbox.
  sandbox boolean not null,
  after_created_at timestamptz,
  after_id uuid,
  due_at timestamptz not null default now(),
  primary key (workspace_id, newsletter_id),
  foreign key (workspace_id, newsletter_id) references newsletters (workspace_id, id) on delete cascade
);
create index newsletter_reminders_due on newsletter_reminders (due_at);
