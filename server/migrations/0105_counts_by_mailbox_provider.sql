-- Counts by broadcast, template and provider of the mailbox, with the delayed deliveries and the time to a delivery.
--
-- A provider is a row beside the tags of an email: its tag is `@` and the provider. So the rows of all emails, which
-- most reads add up, are as many as before. Rows of deliveries to a provider also have the class of their delay.
alter table email_counts
  add column broadcast_id uuid not null default '00000000-0000-0000-0000-000000000000',
  add column template_id uuid not null default '00000000-0000-0000-0000-000000000000',
  add column delay integer not null default 0,
  add column deferred integer not null default 0;

-- The provider that receives the mail of a domain, by its MX. `since` is the beginning of a quarter of an hour that had
-- not begun when the row was written, and never changes again. The provider of a domain at a time is always the same,
-- and a count that is taken back is taken from where it was added. Before it, and where nobody knows, it is `other`.
create table mailbox_domains (
  domain text primary key,
  provider text not null default 'other',
  since timestamptz not null default 'infinity',
  tries smallint not null default 0,
  -- Null: it is known, or nobody could tell.
  next_look_at timestamptz default now()
);
create index mailbox_domains_to_look_up on mailbox_domains (next_look_at) where next_look_at is not null;
insert into mailbox_domains (domain, provider, since, next_look_at)
select domain, provider, '-infinity', null from (values
  ('gmail.com', 'google'), ('googlemail.com', 'google'),
  ('outlook.com', 'microsoft'), ('hotmail.com', 'microsoft'), ('live.com', 'microsoft'), ('msn.com', 'microsoft'),
  ('yahoo.com', 'yahoo'), ('ymail.com', 'yahoo'), ('aol.com', 'yahoo'),
  ('icloud.com', 'apple'), ('me.com', 'apple'), ('mac.com', 'apple'),
  ('gmx.de', 'gmx'), ('gmx.net', 'gmx'), ('gmx.at', 'gmx'), ('gmx.com', 'gmx'), ('web.de', 'gmx'),
  ('t-online.de', 'telekom'), ('proton.me', 'proton'), ('protonmail.com', 'proton'), ('fastmail.com', 'fastmail'),
  ('mail.ru', 'mail_ru'), ('yandex.ru', 'yandex'), ('qq.com', 'tencent'), ('comcast.net', 'comcast'),
  ('orange.fr', 'orange'), ('simulator.amazonses.com', 'other')) as known (domain, provider);

create function ph_mailbox_provider(p_domain text, p_at timestamptz) returns text language sql stable as $$
  select coalesce((select provider from mailbox_domains where domain = p_domain and since <= p_at), 'other')
$$;

-- Rows of domains that are new, to be looked up. Ordered, so that two transactions wait for each other in one order.
create function ph_see_mailbox_domains(p_domains text[]) returns void language sql as $$
  insert into mailbox_domains (domain)
  select d.domain from unnest(p_domains) as d (domain)
   where d.domain <> '' and not exists (select from mailbox_domains m where m.domain = d.domain)
   order by d.domain
  on conflict (domain) do nothing
$$;

-- 1: under a second, and so on up to a day; the seconds are in delay-classes.ts.
create function ph_delay_class(p_delay interval) returns integer language sql immutable as $$
  select 1 + width_bucket(extract(epoch from p_delay)::double precision,
    array[1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400]::double precision[])
$$;

-- Writes changes of counts, each of one send, its content, one quarter, one kind, and the provider of the mailboxes and
-- the class of the delay, which are null and 0 where they are not known.
create function ph_add_counts(p_workspaces uuid[], p_sends uuid[], p_contents uuid[], p_quarters timestamptz[],
  p_kinds integer[], p_changes integer[], p_mailboxes text[], p_delays integer[]) returns void language plpgsql as $$
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
end
$$;

-- For counts of emails that are gone: nobody knows their mailbox any more.
create or replace function ph_add_email_counts(p_workspaces uuid[], p_sends uuid[], p_contents uuid[],
  p_quarters timestamptz[], p_kinds integer[], p_changes integer[]) returns void language sql as $$
  select ph_add_counts(p_workspaces, p_sends, p_contents, p_quarters, p_kinds, p_changes, '{}', array_fill(0, array[cardinality(p_kinds)]))
$$;

create or replace function ph_count_email_outcomes() returns trigger language plpgsql as $$
declare
  counted record;
  first timestamptz;
begin
  if not exists (select from after_change where sent_at is not null or status in ('failed', 'suppressed'))
     and not exists (select from before_change where sent_at is not null or status in ('failed', 'suppressed')) then
    return null;
  end if;
  select since into first from email_counting;
  select array_agg(c.workspace_id) as workspaces, array_agg(c.send_id) as sends, array_agg(c.content_id) as contents,
         array_agg(c.quarter) as quarters, array_agg(c.kind) as kinds, array_agg(c.change) as changes,
         array_agg(c.delay) as delays, array_agg(ph_mailbox_provider(c.mailbox_domain, c.quarter)) as mailboxes,
         array_agg(distinct c.mailbox_domain order by c.mailbox_domain) as mailbox_domains
    into counted
    from (
      select e.workspace_id, e.send_id, e.content_id, split_part(e.recipient, '@', 2) as mailbox_domain,
             date_bin('15 minutes', m.at, '2000-01-01T00:00:00Z') as quarter, m.kind,
             case when m.kind = 2 then ph_delay_class(e.delivered_at - e.sent_at) else 0 end as delay,
             sum(e.side)::integer as change
        from (
          select 1 as side, workspace_id, send_id, content_id, recipient, status, sent_at, delivered_at,
                 first_opened_at, first_delayed_at,
                 first_machine_opened_at, first_clicked_at, bounced_at, bounced_permanently, complained_at,
                 unsubscribed_at, last_event_at, created_at
            from after_change where sent_at is not null or status in ('failed', 'suppressed')
          union all
          select -1, workspace_id, send_id, content_id, recipient, status, sent_at, delivered_at,
                 first_opened_at, first_delayed_at,
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
          (11, case when status = 'failed' then coalesce(last_event_at, created_at) end),
          (12, first_delayed_at)) as m (kind, at)
       where m.at >= first
       group by e.workspace_id, e.send_id, e.content_id, mailbox_domain, quarter, m.kind, delay
      having sum(e.side) <> 0
    ) as c;
  if counted.workspaces is not null then
    perform ph_see_mailbox_domains(counted.mailbox_domains);
    perform ph_add_counts(counted.workspaces, counted.sends, counted.contents, counted.quarters, counted.kinds,
      counted.changes, counted.mailboxes, counted.delays);
  end if;
  return null;
end
$$;

create or replace function ph_count_added_emails() returns trigger language plpgsql as $$
declare
  counted record;
begin
  if not exists (select from added where status = 'suppressed') then
    return null;
  end if;
  select array_agg(workspace_id) as workspaces, array_agg(send_id) as sends, array_agg(content_id) as contents,
         array_agg(quarter) as quarters, array_agg(10) as kinds, array_agg(change) as changes,
         array_agg(0) as delays, array_agg(ph_mailbox_provider(mailbox_domain, quarter)) as mailboxes
    into counted
    from (
      select workspace_id, send_id, content_id, split_part(recipient, '@', 2) as mailbox_domain, count(*)::integer as change,
             date_bin('15 minutes', coalesce(last_event_at, created_at), '2000-01-01T00:00:00Z') as quarter
        from added where status = 'suppressed'
       group by workspace_id, send_id, content_id, mailbox_domain, quarter
    ) as suppressed;
  perform ph_add_counts(counted.workspaces, counted.sends, counted.contents, counted.quarters, counted.kinds,
    counted.changes, counted.mailboxes, counted.delays);
  return null;
end
$$;
