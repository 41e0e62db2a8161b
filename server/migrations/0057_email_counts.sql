-- Counts of emails by the quarter of an hour in which something happened to them, for GET /v1/analytics. A tally: rows
-- are changes, a service folds them, and a read adds them up. The offsets of all zones in use are whole quarters of an
-- hour, so the days of each zone consist of whole rows.
--
-- A count is a function of the rows of `emails`: the number of those whose time of this kind is in the quarter. The
-- trigger adds the rows after a statement and takes off those before it, so a fact that is withdrawn (a delivery that
-- bounced after all) leaves its quarter. Deleting emails changes no count.
create table email_counts (
  workspace_id uuid not null,
  id uuid not null default ph_uuidv7(),
  quarter timestamptz not null,
  -- No domain, no newsletter: zeros, because a fold compares keys.
  domain_id uuid not null,
  source text not null,
  newsletter_id uuid not null,
  -- Empty: all emails, each once. `name:value`: those with this tag. `*`: those with a tag that is not in counted_tags.
  tag text not null default '',
  sent integer not null default 0,
  delivered integer not null default 0,
  opened integer not null default 0,
  opened_machine integer not null default 0,
  clicked integer not null default 0,
  bounced integer not null default 0,
  bounced_permanent integer not null default 0,
  complained integer not null default 0,
  unsubscribed integer not null default 0,
  suppressed integer not null default 0,
  failed integer not null default 0,
  folded boolean not null default false,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);
create index email_counts_by_time on email_counts (workspace_id, quarter);
create index email_counts_unfolded on email_counts (workspace_id, quarter) where not folded;

-- The tags of a UTC day that have counts of their own: about a hundred, so that tags with the number of an order do not
-- make a row for each email. A row is never removed before the counts: the same tag is always counted at one place.
create table counted_tags (
  workspace_id uuid not null,
  day date not null,
  tag text not null,
  primary key (workspace_id, day, tag)
);

-- Earlier mail is not counted: a recount of existing emails would stop those who send meanwhile.
create table email_counting (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null
);
insert into email_counting (since) values (now());

-- The times that the counts need. Null for everything before this migration.
alter table emails add column bounced_at timestamptz;
alter table emails add column bounced_permanently boolean;
alter table emails add column complained_at timestamptz;
alter table emails add column first_clicked_at timestamptz;
alter table emails add column first_machine_opened_at timestamptz;
alter table emails add column unsubscribed_at timestamptz;

-- Writes changes of counts, each of one send, its content, one quarter and one kind (the places of the columns).
create function ph_add_email_counts(p_workspaces uuid[], p_sends uuid[], p_contents uuid[], p_quarters timestamptz[],
  p_kinds integer[], p_changes integer[])
returns void language plpgsql as $$
begin
  with change as materialized (
    select c.workspace_id, c.send_id, c.content_id, c.quarter, c.kind, c.change,
           coalesce(k.domain_id, '00000000-0000-0000-0000-000000000000') as domain_id,
           coalesce(s.source::text, '') as source,
           coalesce(s.newsletter_id, '00000000-0000-0000-0000-000000000000') as newsletter_id, k.tags
      from unnest(p_workspaces, p_sends, p_contents, p_quarters, p_kinds, p_changes)
             as c (workspace_id, send_id, content_id, quarter, kind, change)
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
    select workspace_id, quarter, domain_id, source, newsletter_id, '' as tag, kind, change from change
    union all
    -- Once for an email with several tags that are counted at one place.
    select workspace_id, quarter, domain_id, source, newsletter_id, named, kind, change
      from (select distinct t.workspace_id, t.send_id, t.content_id, t.quarter, t.kind, t.change, t.domain_id, t.source,
                   t.newsletter_id,
                   case when exists (select from counted_tags k
                                      where k.workspace_id = t.workspace_id and k.day = t.day and k.tag = t.tag)
                          or exists (select from added a
                                      where a.workspace_id = t.workspace_id and a.day = t.day and a.tag = t.tag)
                        then t.tag else '*' end as named
              from tagged t) as once
  )
  insert into email_counts (workspace_id, quarter, domain_id, source, newsletter_id, tag, sent, delivered, opened,
    opened_machine, clicked, bounced, bounced_permanent, complained, unsubscribed, suppressed, failed)
  select workspace_id, quarter, domain_id, source, newsletter_id, tag,
         coalesce(sum(change) filter (where kind = 1), 0), coalesce(sum(change) filter (where kind = 2), 0),
         coalesce(sum(change) filter (where kind = 3), 0), coalesce(sum(change) filter (where kind = 4), 0),
         coalesce(sum(change) filter (where kind = 5), 0), coalesce(sum(change) filter (where kind = 6), 0),
         coalesce(sum(change) filter (where kind = 7), 0), coalesce(sum(change) filter (where kind = 8), 0),
         coalesce(sum(change) filter (where kind = 9), 0), coalesce(sum(change) filter (where kind = 10), 0),
         coalesce(sum(change) filter (where kind = 11), 0)
    from counted group by workspace_id, quarter, domain_id, source, newsletter_id, tag;
end
$$;

-- Both sides of a change are summed apart, without pairs, as in ph_count_moved_emails. Most statements (a claim, a
-- lease) move emails that nothing has happened to yet, and end after the first look.
create function ph_count_email_outcomes() returns trigger language plpgsql as $$
declare
  counted record;
  first timestamptz;
begin
  if not exists (select from after_change where sent_at is not null or status in ('failed', 'suppressed'))
     and not exists (select from before_change where sent_at is not null or status in ('failed', 'suppressed')) then
    return null;
  end if;
  select since into first from email_counting;
  select array_agg(workspace_id) as workspaces, array_agg(send_id) as sends, array_agg(content_id) as contents,
         array_agg(quarter) as quarters, array_agg(kind) as kinds, array_agg(change) as changes
    into counted
    from (
      select e.workspace_id, e.send_id, e.content_id,
             date_bin('15 minutes', m.at, '2000-01-01T00:00:00Z') as quarter, m.kind, sum(e.side)::integer as change
        from (
          select 1 as side, workspace_id, send_id, content_id, status, sent_at, delivered_at, first_opened_at,
                 first_machine_opened_at, first_clicked_at, bounced_at, bounced_permanently, complained_at,
                 unsubscribed_at, last_event_at, created_at
            from after_change where sent_at is not null or status in ('failed', 'suppressed')
          union all
          select -1, workspace_id, send_id, content_id, status, sent_at, delivered_at, first_opened_at,
                 first_machine_opened_at, first_clicked_at, bounced_at, bounced_permanently, complained_at,
                 unsubscribed_at, last_event_at, created_at
            from before_change where sent_at is not null or status in ('failed', 'suppressed')
        ) as e
        cross join lateral (values
          (1, case when status in ('sent', 'delivery_delayed', 'delivered', 'bounced', 'complained') then sent_at end),
          (2, case when status in ('delivered', 'complained') then delivered_at end),
          (3, first_opened_at),
          (4, first_machine_opened_at),
          (5, first_clicked_at),
          (6, case when status = 'bounced' then bounced_at end),
          (7, case when status = 'bounced' and bounced_permanently then bounced_at end),
          (8, case when status = 'complained' then complained_at end),
          (9, unsubscribed_at),
          (10, case when status = 'suppressed' then coalesce(last_event_at, created_at) end),
          (11, case when status = 'failed' then coalesce(last_event_at, created_at) end)) as m (kind, at)
       where m.at >= first
       group by e.workspace_id, e.send_id, e.content_id, quarter, m.kind
      having sum(e.side) <> 0
    ) as changed;
  if counted.workspaces is not null then
    perform ph_add_email_counts(counted.workspaces, counted.sends, counted.contents, counted.quarters, counted.kinds,
      counted.changes);
  end if;
  return null;
end
$$;
create trigger emails_counted after update on emails referencing old table as before_change new table as after_change
  for each statement execute function ph_count_email_outcomes();

-- The only emails that something has happened to when they are stored. Others cost the look at the condition.
create function ph_count_added_suppressed() returns trigger language plpgsql as $$
begin
  perform ph_add_email_counts(array[new.workspace_id], array[new.send_id], array[new.content_id],
    array[date_bin('15 minutes', coalesce(new.last_event_at, new.created_at), '2000-01-01T00:00:00Z')], array[10], array[1]);
  return null;
end
$$;
create trigger emails_added_suppressed after insert on emails for each row when (new.status = 'suppressed')
  execute function ph_count_added_suppressed();
