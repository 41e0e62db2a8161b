-- Mail that is written once and goes to contacts.
create domain broadcast_status as text
  check (value in ('draft', 'scheduled', 'sending', 'sent', 'cancelled', 'failed'));

create table broadcasts (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  name text not null,
  status broadcast_status not null default 'draft',
  -- As it was given: a mailbox, with or without a name.
  sender text,
  reply_to jsonb not null default '[]',
  subject text,
  preheader text,
  html text,
  text text,
  template_id uuid,
  -- The version of the template that it was sent with.
  template_version integer,
  variables jsonb not null default '{}',
  audience jsonb not null,
  track_opens boolean,
  track_clicks boolean,
  tags jsonb not null default '[]',
  scheduled_for timestamptz,
  timezone text,
  schedule_note text,
  started_at timestamptz,
  sent_at timestamptz,
  finished_at timestamptz,
  cancelled_at timestamptz,
  failed_at timestamptz,
  error text,
  error_code text,
  sent_by jsonb,
  send_id uuid,
  total_recipients integer,
  -- Contacts of the audience who had left before their page was written.
  skipped_unsubscribed integer not null default 0,
  pages_completed integer not null default 0,
  -- It was let go, and something of it may still be pending.
  awaits_finish boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index broadcasts_due on broadcasts (scheduled_for) where status = 'scheduled';
create index broadcasts_awaiting_finish on broadcasts (workspace_id, id) where awaits_finish;
create index broadcasts_of_send on broadcasts (workspace_id, send_id) where send_id is not null;

-- The audience of a broadcast as it was when it was sent: written once, and gone when every email is written.
create table broadcast_recipients (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  -- The identity of the address.
  recipient text not null,
  contact_id uuid not null,
  primary key (workspace_id, broadcast_id, recipient)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
