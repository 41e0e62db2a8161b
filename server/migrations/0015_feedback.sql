-- What comes back after the hand-off: notifications as they arrived, what they say about emails, and what follows.

-- Notifications from outside, stored before they are acknowledged and before anybody knows whose they are. Raw bodies
-- are kept for a week.
create table provider_notifications (
  -- ses: a message of Amazon SNS; mail: a bounce message or a feedback report.
  source text not null check (source in ('ses', 'mail')),
  -- What the sender calls it (the MessageId of SNS), so that a repeated one is stored once.
  id text not null,
  topic text,
  body bytea not null,
  -- For mail: the address it came to, which names the email (VERP).
  envelope_to text,
  received_at timestamptz not null default now(),
  next_try_at timestamptz not null default now(),
  tries smallint not null default 0,
  processed_at timestamptz,
  outcome text check (outcome in ('applied', 'unmatched', 'ignored', 'malformed')),
  note text,
  primary key (source, id)
);
create index provider_notifications_waiting on provider_notifications (next_try_at) where processed_at is null;
create index provider_notifications_age on provider_notifications (received_at);

-- Topics that have spoken to us: whether the subscription stands, and when it was last heard of.
create table sns_topics (
  arn text not null primary key,
  state text not null check (state in ('confirmed', 'unsubscribed', 'failed')),
  note text,
  confirmed_at timestamptz,
  last_message_at timestamptz,
  updated_at timestamptz not null default now()
);

alter table provider_events
  -- What the event is, whoever repeats it under whatever number: provider id, type, recipient, feedback id or time.
  add column semantic_key text,
  add column provider_message_id text,
  -- Held back until then (clicks, so that a burst of them can be judged together).
  add column not_before timestamptz;
create unique index provider_events_once on provider_events (workspace_id, email_id, semantic_key)
  where semantic_key is not null;

alter table emails
  add column machine_open_count integer not null default 0,
  add column machine_click_count integer not null default 0;

-- The newest transient bounces of an address since its last delivery; five suppress it.
create table soft_bounces (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  email text not null,
  times timestamptz[] not null,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, email)
);

-- How a bulk send fares, counted as events come, so that the breaker need not count its emails.
create table bulk_health (
  workspace_id uuid not null,
  send_id uuid not null,
  delivered integer not null default 0,
  hard_bounced integer not null default 0,
  complained integer not null default 0,
  primary key (workspace_id, send_id)
) with (fillfactor = 70);

alter table send_requests
  add column paused_at timestamptz,
  add column pause_reason text;

create index suppressions_by_time on suppressions (workspace_id, created_at desc, id desc);
