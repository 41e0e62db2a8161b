-- Counts of emails by eighths of a UTC day, for reads of long spans: the sums of the rows of `email_counts` that have
-- `in_eighths`. A read takes whole eighths from here, and what is left of its span from the quarters of an hour, as it
-- does the rows that are in no eighth: those of the last day, and of events that were told late.
--
-- Fixed widths come first: a read adds up the columns of many rows.
create table email_counts_by_eighth (
  workspace_id uuid not null,
  eighth timestamptz not null,
  domain_id uuid not null,
  newsletter_id uuid not null,
  broadcast_id uuid not null,
  template_id uuid not null,
  delay integer not null,
  sent integer not null,
  delivered integer not null,
  opened integer not null,
  opened_machine integer not null,
  clicked integer not null,
  bounced integer not null,
  bounced_permanent integer not null,
  complained integer not null,
  unsubscribed integer not null,
  suppressed integer not null,
  failed integer not null,
  deferred integer not null,
  source text not null,
  tag text not null,
  primary key (workspace_id, eighth, tag, source, domain_id, newsletter_id, broadcast_id, template_id, delay)
);
-- Most reads want one kind of rows: of all emails, of tags, or of providers of mailboxes.
create index email_counts_by_eighth_of_all on email_counts_by_eighth (workspace_id, eighth) where tag = '';
create index email_counts_by_eighth_of_tags on email_counts_by_eighth (workspace_id, eighth)
  where tag <> '' and tag not like '@%';
create index email_counts_by_eighth_of_providers on email_counts_by_eighth (workspace_id, eighth) where tag like '@%';

-- A service sets it, page by page, also for the rows of before this migration.
alter table email_counts add column in_eighths boolean not null default false;

-- Adds rows of email_counts to their eighths, and takes others off.
create function ph_add_to_eighths(p_added email_counts[], p_removed email_counts[]) returns void language sql as $$
  insert into email_counts_by_eighth as e (workspace_id, eighth, tag, source, domain_id, newsletter_id, broadcast_id,
    template_id, delay, sent, delivered, opened, opened_machine, clicked, bounced, bounced_permanent, complained,
    unsubscribed, suppressed, failed, deferred)
  select workspace_id, date_bin('3 hours', quarter, '2000-01-01T00:00:00Z') as eighth, tag, source, domain_id,
         newsletter_id, broadcast_id, template_id, delay, sum(side * sent), sum(side * delivered), sum(side * opened),
         sum(side * opened_machine), sum(side * clicked), sum(side * bounced), sum(side * bounced_permanent),
         sum(side * complained), sum(side * unsubscribed), sum(side * suppressed), sum(side * failed),
         sum(side * deferred)
    from (select 1 as side, a.* from unnest(p_added) as a union all select -1, r.* from unnest(p_removed) as r) as c
   group by workspace_id, eighth, tag, source, domain_id, newsletter_id, broadcast_id, template_id, delay
  -- Ordered, so that two processes wait for each other in one order.
   order by workspace_id, eighth, tag, source, domain_id, newsletter_id, broadcast_id, template_id, delay
  on conflict (workspace_id, eighth, tag, source, domain_id, newsletter_id, broadcast_id, template_id, delay)
  do update set sent = e.sent + excluded.sent, delivered = e.delivered + excluded.delivered,
    opened = e.opened + excluded.opened, opened_machine = e.opened_machine + excluded.opened_machine,
    clicked = e.clicked + excluded.clicked, bounced = e.bounced + excluded.bounced,
    bounced_permanent = e.bounced_permanent + excluded.bounced_permanent,
    complained = e.complained + excluded.complained, unsubscribed = e.unsubscribed + excluded.unsubscribed,
    suppressed = e.suppressed + excluded.suppressed, failed = e.failed + excluded.failed,
    deferred = e.deferred + excluded.deferred
$$;

-- The eighths follow the rows in the statement that changes or deletes these, whoever does it: a fold that adds a late
-- event makes a row in no eighth of the two. Nobody inserts a row that is in an eighth.
create function ph_change_eighths() returns trigger language plpgsql as $$
begin
  if exists (select from before_change where in_eighths) or exists (select from after_change where in_eighths) then
    perform ph_add_to_eighths(
      array(select row(c.*)::email_counts from after_change c where c.in_eighths),
      array(select row(c.*)::email_counts from before_change c where c.in_eighths));
  end if;
  return null;
end
$$;
create function ph_take_from_eighths() returns trigger language plpgsql as $$
begin
  if exists (select from before_change where in_eighths) then
    perform ph_add_to_eighths('{}', array(select row(c.*)::email_counts from before_change c where c.in_eighths));
  end if;
  return null;
end
$$;
create trigger email_counts_changed after update on email_counts referencing old table as before_change
  new table as after_change for each statement execute function ph_change_eighths();
create trigger email_counts_deleted after delete on email_counts referencing old table as before_change
  for each statement execute function ph_take_from_eighths();
