-- Feedback after the hand-off: notifications as they arrived, the events that they tell of emails, and what follows.
-- And the mail that the capture provider kept.

create table captured_emails (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  email_id uuid not null,
  message_id text not null,
  envelope_from text not null,
  envelope_to text[] not null,
  subject text not null,
  mime bytea not null,
  size integer not null,
  -- Mail of the system itself (resets, invitations) holds links that sign people in: not for every reader.
  is_system boolean not null default false,
  captured_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index captured_emails_of_email on captured_emails (workspace_id, email_id);

-- Notifications from outside, stored before they are acknowledged and before anybody knows whose they are. Raw bodies
-- are kept for a week.
create table provider_notifications (
  -- ses: a message of Amazon SNS; mail: a bounce message or a feedback report.
  source text not null check (source in ('ses', 'mail')),
  -- The sender's name for it (the MessageId of SNS), so that a repeated one is stored once.
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

-- Events that providers told us of emails, before we applied them.
create table provider_events (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  email_id uuid not null,
  type text not null,
  recipient text not null,
  at timestamptz not null default now(),
  payload jsonb not null,
  applied_at timestamptz,
  -- Names the event, however often and under whatever number it is told: provider id, type, recipient, feedback id or
  -- time.
  semantic_key text,
  provider_message_id text,
  -- Held back until then (clicks, so that a burst of them can be judged together).
  not_before timestamptz,
  primary key (workspace_id, id)
);
create index provider_events_waiting on provider_events (at) where applied_at is null;
create unique index provider_events_once on provider_events (workspace_id, email_id, semantic_key)
  where semantic_key is not null;

-- Topics that have spoken to us: whether the subscription stands, and when it was last heard of.
create table sns_topics (
  arn text not null primary key,
  state text not null check (state in ('confirmed', 'unsubscribed', 'failed')),
  note text,
  confirmed_at timestamptz,
  last_message_at timestamptz,
  updated_at timestamptz not null default now()
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

-- Our account with the provider, as it told us: read at start and every hour.
create table provider_accounts (
  provider text not null primary key,
  max_send_rate double precision,
  max_24_hour_send double precision,
  sent_last_24_hours double precision,
  details jsonb not null default '{}',
  checked_at timestamptz not null default now(),
  error text
);
