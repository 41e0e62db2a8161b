-- How many people opened and clicked the mail of a send to many, by the quarter of an hour in which they did it first.
-- The emails of the send tell it as well, but a chart would read each opened email at each look: 300,000 of them for an
-- issue to a million. A tally: rows are changes, a service folds them, and a read adds up one row for each quarter.
create table send_courses (
  workspace_id uuid not null,
  id uuid not null default ph_uuidv7(),
  send_id uuid not null,
  quarter timestamptz not null,
  opened integer not null default 0,
  clicked integer not null default 0,
  folded boolean not null default false,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);
create index send_courses_by_time on send_courses (workspace_id, send_id, quarter);
create index send_courses_unfolded on send_courses (workspace_id, send_id, quarter) where not folded;

-- As in 0125, and the course of a send.
create or replace function ph_add_counts(p_workspaces uuid[], p_sends uuid[], p_contents uuid[], p_quarters timestamp with time zone[], p_kinds integer[], p_changes integer[], p_mailboxes text[], p_delays integer[])
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  with change as materialized (
    select c.workspace_id, c.send_id, c.content_id, c.quarter, c.kind, c.change, c.mailbox, c.delay,
           coalesce(k.domain_id, '00000000-0000-0000-0000-000000000000') as domain_id,
           coalesce(s.source::text, '') as source,
           coalesce(s.newsletter_id, '00000000-0000-0000-0000-000000000000') as newsletter_id,
           coalesce(s.broadcast_id, '00000000-0000-0000-0000-000000000000') as broadcast_id,
           coalesce(s.template_id, '00000000-0000-0000-0000-000000000000') as template_id, k.tags
      from unnest(p_workspaces, p_sends, p_contents, p_quarters, p_kinds, p_changes, p_mailboxes, p_delays)
             as c (workspace_id, send_id, content_id, quarter, kind, change, mailbox, delay)
      left join contents k on k.workspace_id = c.workspace_id and k.id = c.content_id
      left join send_requests s on s.workspace_id = c.workspace_id and s.id = c.send_id
  ), tagged as materialized (
    select c.*, (c.quarter at time zone 'UTC')::date as day, t.tag
      from change c
      cross join lateral (
        select distinct (one ->> 'name') || ':' || (one ->> 'value') as tag from jsonb_array_elements(c.tags) as one) as t
     where c.tags <> '[]'
  ), unknown as (
    select u.workspace_id, u.day, u.tag, row_number() over (partition by u.workspace_id, u.day order by u.tag) as place
      from (select distinct workspace_id, day, tag from tagged) as u
     where not exists (select from counted_tags k
                        where k.workspace_id = u.workspace_id and k.day = u.day and k.tag = u.tag)
  ), added as (
    -- A tag that another transaction adds at this moment is waited for, and returned.
    insert into counted_tags as k (workspace_id, day, tag)
    select u.workspace_id, u.day, u.tag from unknown u
     where u.place <= 100 - (select count(*) from counted_tags o where o.workspace_id = u.workspace_id and o.day = u.day)
     order by u.workspace_id, u.day, u.tag
    on conflict (workspace_id, day, tag) do update set tag = excluded.tag
    returning k.workspace_id, k.day, k.tag
  ), counted as (
    select workspace_id, quarter, domain_id, source, newsletter_id, broadcast_id, template_id, '' as tag, 0 as delay,
           kind, change
      from change
    union all
    select workspace_id, quarter, domain_id, source, newsletter_id, broadcast_id, template_id, '@' || mailbox, delay,
           kind, change
      from change where mailbox is not null
    union all
    -- Once for an email with several tags that are counted at one place.
    select workspace_id, quarter, domain_id, source, newsletter_id, broadcast_id, template_id, named, 0, kind, change
      from (select distinct t.workspace_id, t.send_id, t.content_id, t.quarter, t.kind, t.change, t.mailbox, t.delay,
                   t.domain_id, t.source, t.newsletter_id, t.broadcast_id, t.template_id,
                   case when exists (select from counted_tags k
                                      where k.workspace_id = t.workspace_id and k.day = t.day and k.tag = t.tag)
                          or exists (select from added a
                                      where a.workspace_id = t.workspace_id and a.day = t.day and a.tag = t.tag)
                        then t.tag else '*' end as named
              from tagged t) as once
  )
  insert into email_counts (workspace_id, quarter, domain_id, source, newsletter_id, broadcast_id, template_id, tag,
    delay, sent, delivered, opened, opened_machine, clicked, bounced, bounced_permanent, complained, unsubscribed,
    suppressed, failed, deferred)
  select workspace_id, quarter, domain_id, source, newsletter_id, broadcast_id, template_id, tag, delay,
         coalesce(sum(change) filter (where kind = 1), 0), coalesce(sum(change) filter (where kind = 2), 0),
         coalesce(sum(change) filter (where kind = 3), 0), coalesce(sum(change) filter (where kind = 4), 0),
         coalesce(sum(change) filter (where kind = 5), 0), coalesce(sum(change) filter (where kind = 6), 0),
         coalesce(sum(change) filter (where kind = 7), 0), coalesce(sum(change) filter (where kind = 8), 0),
         coalesce(sum(change) filter (where kind = 9), 0), coalesce(sum(change) filter (where kind = 10), 0),
         coalesce(sum(change) filter (where kind = 11), 0), coalesce(sum(change) filter (where kind = 12), 0)
    from counted
   group by workspace_id, quarter, domain_id, source, newsletter_id, broadcast_id, template_id, tag, delay;
  -- 3: opened, 5: clicked. Only sends to many have a course, and most changes are of neither.
  if p_kinds && array[3, 5] then
    insert into send_courses (workspace_id, send_id, quarter, opened, clicked)
    select c.workspace_id, c.send_id, c.quarter, coalesce(sum(c.change) filter (where c.kind = 3), 0),
           coalesce(sum(c.change) filter (where c.kind = 5), 0)
      from unnest(p_workspaces, p_sends, p_quarters, p_kinds, p_changes)
             as c (workspace_id, send_id, quarter, kind, change)
      join send_requests s on s.workspace_id = c.workspace_id and s.id = c.send_id and s.bulk_state is not null
     where c.kind in (3, 5)
     group by c.workspace_id, c.send_id, c.quarter;
  end if;
end
$function$;
