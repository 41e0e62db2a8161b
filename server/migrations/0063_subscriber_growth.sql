-- People who came to a newsletter and who left, by the quarter of an hour in which it happened, for GET …/growth. A
-- tally: rows are changes, a service folds them, and a read adds them up. People are counted when they become active
-- and when they stop to be: a pending person who never confirms is in none of these. The sum of a newsletter's rows is
-- the change of its active subscribers.
create table subscriber_growth (
  workspace_id uuid not null,
  id uuid not null default ph_uuidv7(),
  newsletter_id uuid not null,
  quarter timestamptz not null,
  confirmed integer not null default 0,
  unsubscribed integer not null default 0,
  -- Their address was suppressed by bounces, or by a complaint.
  bounced integer not null default 0,
  complained integer not null default 0,
  -- Deleted or erased, or asked to confirm a new address.
  removed integer not null default 0,
  folded boolean not null default false,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);
create index subscriber_growth_by_time on subscriber_growth (workspace_id, newsletter_id, quarter);
create index subscriber_growth_unfolded on subscriber_growth (workspace_id, newsletter_id, quarter) where not folded;

create function ph_count_joined_subscribers() returns trigger language plpgsql as $$
begin
  insert into subscriber_growth (workspace_id, newsletter_id, quarter, confirmed)
  select workspace_id, newsletter_id, date_bin('15 minutes', now(), '2000-01-01T00:00:00Z'), count(*)
    from added where status = 'active' group by workspace_id, newsletter_id;
  return null;
end
$$;

-- The purge of a whole newsletter counts nothing.
create function ph_count_deleted_subscribers() returns trigger language plpgsql as $$
begin
  insert into subscriber_growth (workspace_id, newsletter_id, quarter, removed)
  select r.workspace_id, r.newsletter_id, date_bin('15 minutes', now(), '2000-01-01T00:00:00Z'), count(*)
    from removed r
   where r.status = 'active' and not exists (
     select from newsletter_purges p where p.workspace_id = r.workspace_id and p.newsletter_id = r.newsletter_id)
   group by r.workspace_id, r.newsletter_id;
  return null;
end
$$;

-- Grouped and not joined, as in ph_stop_moved_subscribers. Most statements (an open, a confirmation email) move nobody.
create function ph_count_changed_subscribers() returns trigger language plpgsql as $$
begin
  insert into subscriber_growth (workspace_id, newsletter_id, quarter, confirmed, unsubscribed, bounced, complained, removed)
  select workspace_id, newsletter_id, date_bin('15 minutes', now(), '2000-01-01T00:00:00Z'),
         count(*) filter (where came > 0),
         count(*) filter (where came < 0 and status = 'unsubscribed'
                            and coalesce(reason, '') not in ('hard_bounce', 'soft_bounce', 'complaint')),
         count(*) filter (where came < 0 and status = 'unsubscribed' and reason in ('hard_bounce', 'soft_bounce')),
         count(*) filter (where came < 0 and status = 'unsubscribed' and reason = 'complaint'),
         count(*) filter (where came < 0 and status = 'pending')
    from (
      select workspace_id, newsletter_id, id, sum(side) as came, max(status) as status, max(reason) as reason
        from (
          select workspace_id, newsletter_id, id, 1 as side, null::text as status, null::text as reason
            from after_change where status = 'active'
          union all
          select workspace_id, newsletter_id, id, -1, null, null from before_change where status = 'active'
          union all
          select workspace_id, newsletter_id, id, 0, status, metadata ->> 'unsubscribe_reason'
            from after_change where status <> 'active'
        ) as both_sides
       group by workspace_id, newsletter_id, id
      having sum(side) <> 0
    ) as moved
   group by workspace_id, newsletter_id;
  return null;
end
$$;

create trigger subscribers_joined after insert on subscribers referencing new table as added
  for each statement execute function ph_count_joined_subscribers();
create trigger subscribers_deleted after delete on subscribers referencing old table as removed
  for each statement execute function ph_count_deleted_subscribers();
create trigger subscribers_changed after update on subscribers
  referencing old table as before_change new table as after_change
  for each statement execute function ph_count_changed_subscribers();

-- By the clock, behind the triggers: whoever moved somebody before has committed, and the next file counts it.
create table subscriber_growth_counting (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null
);
insert into subscriber_growth_counting (since) values (clock_timestamp());
