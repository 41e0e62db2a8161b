-- The one queue. A row of `emails` is one message for one recipient (or one grouped message) from acceptance to its
-- last event; there is no second queue to keep in step with it. Content is stored once per send. These tables hold no
-- foreign key to workspaces: its share lock on one row would meet itself in every accept of a busy workspace. Nor do
-- the four tables that one function fills in one statement (contents, send_requests, emails, email_events) point at
-- each other: the checks were a fifth of what an accept costs PostgreSQL (November 2026). Code that deletes emails
-- deletes their events; their contents go last.

-- Lists of words are domains, not checks: a check is parsed from its stored text by every statement that inserts, a
-- domain once per connection (8 % of an accept).
--
-- 'deferred' is 'queued' waiting for not_before, kept apart so that the head of the queue stays short; the API shows
-- it as queued.
create domain email_status as text check (value in ('pending', 'queued', 'deferred', 'sending', 'unconfirmed', 'sent',
  'delivery_delayed', 'delivered', 'bounced', 'complained', 'failed', 'suppressed', 'cancelled'));
create domain email_event_type as text check (value in ('send', 'delivery', 'bounce', 'complaint', 'reject',
  'delivery_delay', 'open', 'click'));
-- Sources as they are listed in server/src/mail/email-sources.ts.
create domain send_source as text check (value in ('api', 'batch', 'resend', 'scheduled', 'relay', 'automation',
  'inbound_reply', 'issue', 'broadcast', 'confirmation', 'test', 'system'));

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
  -- How the content of a send differs for each recipient; null when it is the same for all.
  personal jsonb,
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

-- One call of /v1/send: the job that is followed at /v1/send/:jobId. Or a send to many: its recipients are frozen
-- first (one pending email each), then released to the queue a few seconds of drain at a time, so that a cancel stops
-- nearly everything.
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
  paused_at timestamptz,
  pause_reason text,
  newsletter_id uuid,
  issue_id uuid,
  -- null: not a bulk send. freezing: recipients are being written; releasing: they go to the queue; released: all
  -- have left for it or were settled; cancelling: what is pending is being settled; cancelled: it is.
  bulk_state text check (bulk_state in ('freezing', 'releasing', 'released', 'cancelling', 'cancelled')),
  -- Where the freeze goes on: whatever its recipients are ordered by.
  freeze_cursor text,
  frozen_at timestamptz,
  released_at timestamptz,
  -- When it last moved: a page frozen or released.
  progress_at timestamptz,
  -- Of a bulk send: its emails are captured only.
  sandbox boolean not null default false,
  -- The origin of a send. It is the same for all of its emails, so it stands with the send and costs their rows
  -- nothing.
  template_id uuid,
  broadcast_id uuid,
  scheduled_id uuid,
  automation_run_id uuid,
  -- Which audience a bulk send goes to: the kind names who keeps it ('newsletter'), the id is that of the list.
  audience_kind text,
  audience_id uuid,
  primary key (workspace_id, id)
);
create index send_requests_of_batch on send_requests (workspace_id, batch_id) where batch_id is not null;
-- Mail of the system itself is left out of what most callers may list: a look at a handful of rows, instead of the
-- request of every email.
create index send_requests_of_system on send_requests (workspace_id, id) where source = 'system';
create index send_requests_under_way on send_requests (workspace_id, id)
  where bulk_state in ('freezing', 'releasing', 'cancelling');
create index send_requests_of_issue on send_requests (workspace_id, issue_id) where issue_id is not null;
create index send_requests_of_newsletter on send_requests (workspace_id, newsletter_id, id) where newsletter_id is not null;

create index send_requests_of_broadcast on send_requests (workspace_id, broadcast_id) where broadcast_id is not null;
-- For the sweep of stops, which asks for the oldest send of an audience that can still leave.
create index send_requests_of_audience on send_requests (workspace_id, audience_id, id) where audience_id is not null;

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
  machine_open_count integer not null default 0,
  machine_click_count integer not null default 0,
  subscriber_id uuid,
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
-- Emails whose time runs out while they wait are settled without walking the queue. Few emails expire: the index is
-- small.
create index emails_expiring on emails (expires_at) where expires_at is not null and status in ('queued', 'deferred');
-- "to" finds private copies by their recipient; the addresses of the few grouped messages are looked into.
create index emails_grouped on emails (workspace_id, id) where grouped is not null;
-- A notification without our tags names its email only by the number that the provider gave the message. Without this
-- index each page of notifications with such a one in it read every email there is, and again at each later try.
create index emails_of_provider_message on emails (provider_message_id) where provider_message_id is not null;
-- Nobody is frozen twice into one send, whatever is run again. In the order of addresses, as they are frozen.
create unique index emails_once_per_bulk_send on emails (workspace_id, send_id, recipient) where lane = 2;
-- Emails that are frozen and not released, or parked by a pause.
create index emails_pending on emails (workspace_id, send_id, id) where status = 'pending';
create index emails_of_subscriber on emails (workspace_id, subscriber_id, id) where subscriber_id is not null;
-- Lists of emails are asked for those in one state, of a send, of a newsletter or of all: the few among millions were
-- found by reading the millions (0.7 to 4 s, 21 November 2026). The ids of a send lie together, so one index serves
-- all three. Emails that are frozen or in a worker's hands are left out: freezing writes nothing here, and both have
-- indexes already. Building it took 13 s for 5,000,000 emails.
create index emails_by_status on emails (workspace_id, status, id) include (send_id)
  where status not in ('pending', 'sending');
-- For lists of those who opened or clicked. Neither index is written before somebody does: by the first open of an
-- email, and by clicks.
create index emails_opened on emails (workspace_id, send_id, id) where first_opened_at is not null;
create index emails_clicked on emails (workspace_id, send_id, id) where click_count > 0;

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

-- The engine decides by tables of its own who may still get a bulk send. A send names its audience, and each of its
-- emails the recipient in it. This table holds the recipients that must not get anything more of what was frozen for
-- them. A recipient without a row may: a list of a million has a row for each of the few who left while something was
-- under way, and none for the others.
create table audience_stops (
  workspace_id uuid not null,
  audience_id uuid not null,
  recipient_id uuid not null,
  stopped_at timestamptz not null default now(),
  primary key (workspace_id, audience_id, recipient_id)
  -- It is small and its rows come and go: vacuumed by their number, and not by a share of them.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- For those who keep an audience, in the transaction in which somebody leaves it: one entry of each array for each.
-- In plpgsql, which keeps its plan from call to call.
create function ph_stop_recipients(p_workspaces uuid[], p_audiences uuid[], p_recipients uuid[]) returns void
language plpgsql
as $function$
begin
  insert into audience_stops as s (workspace_id, audience_id, recipient_id)
  select distinct x.workspace_id, x.audience_id, x.recipient_id
    from unnest(p_workspaces, p_audiences, p_recipients) as x (workspace_id, audience_id, recipient_id)
   order by x.workspace_id, x.audience_id, x.recipient_id
  on conflict (workspace_id, audience_id, recipient_id) do update set stopped_at = excluded.stopped_at;
end
$function$;

-- The same for those who are in it again.
create function ph_let_recipients(p_workspaces uuid[], p_audiences uuid[], p_recipients uuid[]) returns void
language plpgsql
as $function$
begin
  delete from audience_stops s
   using unnest(p_workspaces, p_audiences, p_recipients) as x (workspace_id, audience_id, recipient_id)
   where s.workspace_id = x.workspace_id and s.audience_id = x.audience_id and s.recipient_id = x.recipient_id;
end
$function$;

-- One row for every process on this database: when the next recipient may leave (GCRA). `slot` numbers the slots, so
-- that every fifth can belong to bulk whoever takes it; `stretch` >= 1 slows the interval after a throttle answer.
create table send_pace (
  only_row boolean primary key default true check (only_row),
  next_slot timestamptz not null default 'epoch',
  slot bigint not null default 0,
  stretch double precision not null default 1,
  stretched_at timestamptz,
  paused_until timestamptz,
  pause_reason text,
  -- Recipients per second that the provider allows; the setting when it is lower. null: it has not said.
  provider_rate double precision
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

-- The statistics of a bulk send, as changes that are summed: total = pending + sent + failed in every snapshot,
-- because the statement that moves emails writes what it moved, and no two of them wait for one row. Folded by a
-- sweep.
create table send_counts (
  workspace_id uuid not null,
  id uuid not null default ph_uuidv7(),
  send_id uuid not null,
  total integer not null default 0,
  waiting integer not null default 0,
  queued integer not null default 0,
  sending integer not null default 0,
  unconfirmed integer not null default 0,
  sent integer not null default 0,
  refused integer not null default 0,
  suppressed integer not null default 0,
  cancelled integer not null default 0,
  delivered integer not null default 0,
  bounced integer not null default 0,
  complained integer not null default 0,
  opened integer not null default 0,
  clicked integer not null default 0,
  opened_machine integer not null default 0,
  clicked_machine integer not null default 0,
  unsubscribed integer not null default 0,
  first_event_at timestamptz,
  last_event_at timestamptz,
  -- True for a row that is a sum. Without it a fold would read the sum of every send there ever was.
  folded boolean not null default false,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);
create index send_counts_of_send on send_counts (workspace_id, send_id);
create index send_counts_unfolded on send_counts (workspace_id, send_id) where not folded;

-- Every update of emails comes through here; those of other lanes are passed over at once. The state before is taken
-- off and the state after is added, each side summed apart. Joining the rows before with those after needs a plan
-- that a session keeps: one made for a single row took 20,000 rows one by one against 20,000 others, half a minute
-- where two scans take 30 ms. The first and last event of a send are those of any email that moved: earlier ones were
-- told when they happened.
create function ph_count_moved_emails() returns trigger language plpgsql as $$
begin
  insert into send_counts (workspace_id, send_id, waiting, queued, sending, unconfirmed, sent, refused, suppressed,
    cancelled, delivered, bounced, complained, opened, clicked, opened_machine, clicked_machine, first_event_at, last_event_at)
  select * from (
    select workspace_id, send_id,
           sum(side * (status = 'pending')::integer) as waiting,
           sum(side * (status in ('queued', 'deferred'))::integer) as queued,
           sum(side * (status = 'sending')::integer) as sending,
           sum(side * (status = 'unconfirmed')::integer) as unconfirmed,
           sum(side * (status in ('sent', 'delivery_delayed', 'delivered', 'bounced', 'complained'))::integer) as sent,
           sum(side * (status = 'failed')::integer) as refused,
           sum(side * (status = 'suppressed')::integer) as suppressed,
           sum(side * (status = 'cancelled')::integer) as cancelled,
           -- An email that complained had arrived, one that bounced late had not: delivered + bounced <= sent.
           sum(side * (delivered_at is not null and status in ('delivered', 'complained'))::integer) as delivered,
           sum(side * (status = 'bounced')::integer) as bounced,
           sum(side * (status = 'complained')::integer) as complained,
           sum(side * (open_count > 0)::integer) as opened,
           sum(side * (click_count > 0)::integer) as clicked,
           sum(side * (machine_open_count > 0)::integer) as opened_machine,
           sum(side * (machine_click_count > 0)::integer) as clicked_machine,
           min(last_event_at) filter (where side = 1) as first_event_at,
           max(last_event_at) filter (where side = 1) as last_event_at
      from (
        select 1 as side, workspace_id, send_id, status, delivered_at, open_count, click_count, machine_open_count,
               machine_click_count, last_event_at
          from after_change where lane = 2 and send_id is not null
        union all
        select -1, workspace_id, send_id, status, delivered_at, open_count, click_count, machine_open_count,
               machine_click_count, last_event_at
          from before_change where lane = 2 and send_id is not null
      ) as both_sides
     group by workspace_id, send_id
  ) as change
   where last_event_at is not null or row (waiting, queued, sending, unconfirmed, sent, refused, suppressed, cancelled, delivered, bounced,
       complained, opened, clicked, opened_machine, clicked_machine)
     is distinct from row (0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint,
       0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint);
  return null;
end
$$;
create trigger emails_moved after update on emails referencing old table as before_change new table as after_change
  for each statement execute function ph_count_moved_emails();
