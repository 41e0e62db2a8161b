-- Sends to many: recipients are frozen first (one pending email each), then released to the queue a few seconds of drain
-- at a time, so that a cancel stops nearly everything.

alter domain send_source drop constraint send_source_check;
alter domain send_source add constraint send_source_check
  check (value in ('api', 'batch', 'resend', 'smtp', 'dashboard', 'system', 'newsletter', 'broadcast'));

alter table send_requests
  add column newsletter_id uuid,
  add column issue_id uuid,
  -- null: not a bulk send. freezing: recipients are being written; releasing: they go to the queue; released: all have
  -- left for it or were settled; cancelling: what is pending is being settled; cancelled: it is.
  add column bulk_state text check (bulk_state in ('freezing', 'releasing', 'released', 'cancelling', 'cancelled')),
  -- Where the freeze goes on: whatever its recipients are ordered by.
  add column freeze_cursor text,
  add column frozen_at timestamptz,
  add column released_at timestamptz,
  -- When it last moved: a page frozen or released.
  add column progress_at timestamptz;
create index send_requests_under_way on send_requests (workspace_id, id)
  where bulk_state in ('freezing', 'releasing', 'cancelling');
create index send_requests_of_issue on send_requests (workspace_id, issue_id) where issue_id is not null;
create index send_requests_of_newsletter on send_requests (workspace_id, newsletter_id, id) where newsletter_id is not null;

-- What makes the content of a send each recipient's own: null when it is the same for all. Read by the outbox.
alter table contents add column personal jsonb;

alter table emails add column subscriber_id uuid;
-- Nobody is frozen twice into one send, whatever is run again. In the order of addresses, as they are frozen.
create unique index emails_once_per_bulk_send on emails (workspace_id, send_id, recipient) where lane = 2;
-- What is frozen and not released, or parked by a pause.
create index emails_pending on emails (workspace_id, send_id, id) where status = 'pending';
create index emails_of_subscriber on emails (workspace_id, subscriber_id, id) where subscriber_id is not null;

-- The statistics of a bulk send, as changes that are summed: total = pending + sent + failed in every snapshot, because
-- the statement that moves emails writes what it moved, and no two of them wait for one row. Folded by a sweep.
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
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);
create index send_counts_of_send on send_counts (workspace_id, send_id);

-- Every update of emails comes through here, whoever makes it; those of other lanes are passed over at once.
create function ph_count_moved_emails() returns trigger language plpgsql as $$
begin
  insert into send_counts (workspace_id, send_id, waiting, queued, sending, unconfirmed, sent, refused, suppressed,
    cancelled, delivered, bounced, complained, opened, clicked, opened_machine, clicked_machine, first_event_at, last_event_at)
  select workspace_id, send_id, sum(waiting), sum(queued), sum(sending), sum(unconfirmed), sum(sent), sum(refused),
         sum(suppressed), sum(cancelled), sum(delivered), sum(bounced), sum(complained), sum(opened), sum(clicked),
         sum(opened_machine), sum(clicked_machine), min(event_at), max(event_at)
    from (
      select n.workspace_id, n.send_id,
             (n.status = 'pending')::integer - (o.status = 'pending')::integer as waiting,
             (n.status in ('queued', 'deferred'))::integer - (o.status in ('queued', 'deferred'))::integer as queued,
             (n.status = 'sending')::integer - (o.status = 'sending')::integer as sending,
             (n.status = 'unconfirmed')::integer - (o.status = 'unconfirmed')::integer as unconfirmed,
             (n.status in ('sent', 'delivery_delayed', 'delivered', 'bounced', 'complained'))::integer
               - (o.status in ('sent', 'delivery_delayed', 'delivered', 'bounced', 'complained'))::integer as sent,
             (n.status = 'failed')::integer - (o.status = 'failed')::integer as refused,
             (n.status = 'suppressed')::integer - (o.status = 'suppressed')::integer as suppressed,
             (n.status = 'cancelled')::integer - (o.status = 'cancelled')::integer as cancelled,
             -- Whoever complained had got it, and who bounced late had not: delivered + bounced <= sent.
             (n.delivered_at is not null and n.status in ('delivered', 'complained'))::integer
               - (o.delivered_at is not null and o.status in ('delivered', 'complained'))::integer as delivered,
             (n.status = 'bounced')::integer - (o.status = 'bounced')::integer as bounced,
             (n.status = 'complained')::integer - (o.status = 'complained')::integer as complained,
             (n.open_count > 0)::integer - (o.open_count > 0)::integer as opened,
             (n.click_count > 0)::integer - (o.click_count > 0)::integer as clicked,
             (n.machine_open_count > 0)::integer - (o.machine_open_count > 0)::integer as opened_machine,
             (n.machine_click_count > 0)::integer - (o.machine_click_count > 0)::integer as clicked_machine,
             case when n.last_event_at is distinct from o.last_event_at then n.last_event_at end as event_at
        from after_change n join before_change o on o.workspace_id = n.workspace_id and o.id = n.id
       where n.lane = 2 and n.send_id is not null
         and (n.status <> o.status or n.last_event_at is distinct from o.last_event_at or n.open_count <> o.open_count
           or n.click_count <> o.click_count or n.machine_open_count <> o.machine_open_count
           or n.machine_click_count <> o.machine_click_count or n.delivered_at is distinct from o.delivered_at)
    ) as change
   group by workspace_id, send_id;
  return null;
end
$$;
create trigger emails_moved after update on emails referencing old table as before_change new table as after_change
  for each statement execute function ph_count_moved_emails();
