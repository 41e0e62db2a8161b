-- The one queue. A row of `emails` is one message for one recipient (or one grouped message) from acceptance to its
-- last event; there is no second queue to keep in step with it. Content is stored once per send. These tables hold no
-- foreign key to workspaces: its share lock on one row would meet itself in every accept of a busy workspace. Nor do the
-- four tables that one function fills in one statement (contents, send_requests, emails, email_events) point at each
-- other: the checks were a fifth of what an accept costs PostgreSQL (November 2026). Who deletes emails deletes their
-- events; their contents go last.

-- Lists of words as domains, not as checks: a check is parsed from its stored text by every statement that inserts, a
-- domain once per connection (8 % of an accept).
--
-- 'deferred' is 'queued' waiting for not_before, kept apart so that the head of the queue stays short; the API shows it
-- as queued.
create domain email_status as text check (value in ('pending', 'queued', 'deferred', 'sending', 'unconfirmed', 'sent',
  'delivery_delayed', 'delivered', 'bounced', 'complained', 'failed', 'suppressed', 'cancelled'));
create domain email_event_type as text check (value in ('send', 'delivery', 'bounce', 'complaint', 'reject',
  'delivery_delay', 'open', 'click'));
create domain send_source as text check (value in ('api', 'batch', 'resend', 'smtp', 'dashboard', 'system'));

create table contents (
  workspace_id uuid not null,
  id uuid not null,
  from_address text not null,
  from_name text,
  from_domain text not null,
  -- null: an instance sender domain (setting), which has no row.
  domain_id uuid,
  reply_to jsonb not null default '[]',
  subject text not null,
  html text,
  text text,
  headers jsonb not null default '{}',
  in_reply_to text,
  tags jsonb not null default '[]',
  metadata jsonb not null default '{}',
  track_opens boolean not null default false,
  track_clicks boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

create table attachments (
  workspace_id uuid not null,
  id uuid not null,
  content_id uuid not null,
  position smallint not null,
  filename text not null,
  content_type text not null,
  cid text,
  disposition text not null check (disposition in ('attachment', 'inline')),
  body bytea not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, content_id) references contents (workspace_id, id) on delete cascade
);
create index attachments_of_content on attachments (workspace_id, content_id, position);
-- Files rarely compress and are read whole: keep them out of line and uncompressed.
alter table attachments alter column body set storage external;

create table batches (
  workspace_id uuid not null,
  id uuid not null,
  api_key_id uuid,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- What one call of /v1/send accepted: the job that is followed at /v1/send/:jobId.
create table send_requests (
  workspace_id uuid not null,
  id uuid not null,
  content_id uuid not null,
  batch_id uuid,
  batch_index smallint,
  api_key_id uuid,
  source send_source not null,
  total integer not null,
  cancelled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index send_requests_of_batch on send_requests (workspace_id, batch_id) where batch_id is not null;

create table emails (
  workspace_id uuid not null,
  id uuid not null,
  send_id uuid,
  content_id uuid not null,
  -- The identity of the first recipient (lower case, ASCII domain) and the mailbox as typed, for the To header.
  recipient text not null,
  recipient_name text,
  recipient_typed text,
  -- Only for one message to several people: {"to":[],"cc":[],"bcc":[]} of {address,name}. Null: one private copy.
  grouped jsonb,
  cost smallint not null default 1,
  -- 0 system, 1 transactional, 2 bulk.
  lane smallint not null,
  turn bigint not null,
  status email_status not null,
  -- Test keys and sandbox sends always go to the capture provider.
  sandbox boolean not null default false,
  attempts smallint not null default 0,
  first_attempt_at timestamptz,
  not_before timestamptz,
  expires_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  handoff_at timestamptz,
  unconfirmed_at timestamptz,
  provider_message_id text,
  error text,
  open_count integer not null default 0,
  click_count integer not null default 0,
  first_opened_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  last_event_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 1);

-- Claim order, and the two ends of it that give a new email its turn: each is one index step.
create index emails_queue on emails (lane, turn) where status = 'queued';
create index emails_queue_of_workspace on emails (workspace_id, lane, turn) where status = 'queued';
create index emails_deferred on emails (not_before) where status = 'deferred';
create index emails_leased on emails (lease_until) where status = 'sending';
create index emails_unconfirmed on emails (unconfirmed_at) where status = 'unconfirmed';
create index emails_of_send on emails (workspace_id, send_id, id);
create index emails_of_recipient on emails (workspace_id, recipient, id);

-- Every hand-off that did not simply succeed: what a duplicate is explained by.
create table email_attempts (
  workspace_id uuid not null,
  id uuid not null,
  email_id uuid not null,
  attempt smallint not null,
  started_at timestamptz,
  ended_at timestamptz not null default now(),
  outcome text not null check (outcome in ('temporary', 'throttled', 'refused', 'unconfirmed', 'resent')),
  response text,
  primary key (workspace_id, id),
  foreign key (workspace_id, email_id) references emails (workspace_id, id) on delete cascade
);
create index email_attempts_of_email on email_attempts (workspace_id, email_id, id);

create table email_events (
  workspace_id uuid not null,
  id uuid not null,
  email_id uuid not null,
  type email_event_type not null,
  recipient text not null,
  at timestamptz not null default now(),
  event_data jsonb not null default '{}',
  primary key (workspace_id, id)
);
create index email_events_of_email on email_events (workspace_id, email_id, id);

-- One row for every process on this database: when the next recipient may leave (GCRA). `slot` numbers the slots, so
-- that every fifth can belong to bulk whoever takes it; `stretch` >= 1 slows the interval after a throttle answer.
create table send_pace (
  only_row boolean primary key default true check (only_row),
  next_slot timestamptz not null default 'epoch',
  slot bigint not null default 0,
  stretch double precision not null default 1,
  stretched_at timestamptz,
  paused_until timestamptz,
  pause_reason text
);
insert into send_pace default values;

create table workers (
  id uuid primary key,
  roles text[] not null,
  host text not null,
  pid integer not null,
  started_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
