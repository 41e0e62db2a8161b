-- The people of before, as far as their rows tell: since when they are active, and when they left. Somebody who was
-- deleted, or who came twice, is not known any more.
-- blocks: nobody. It reads the subscribers once and writes sums of quarters of an hour to a table that is new.
insert into subscriber_growth (workspace_id, newsletter_id, quarter, confirmed, unsubscribed, bounced, complained)
select s.workspace_id, s.newsletter_id, date_bin('15 minutes', m.at, '2000-01-01T00:00:00Z'),
       count(*) filter (where m.kind = 'confirmed'), count(*) filter (where m.kind = 'unsubscribed'),
       count(*) filter (where m.kind = 'bounced'), count(*) filter (where m.kind = 'complained')
  from subscribers s
  cross join lateral (values
    ('confirmed', case when s.status = 'unsubscribed' then least(coalesce(s.confirmed_at, s.created_at), s.unsubscribed_at)
                       else coalesce(s.confirmed_at, s.created_at) end),
    (case when s.status = 'unsubscribed' then
       case when s.metadata ->> 'unsubscribe_reason' in ('hard_bounce', 'soft_bounce') then 'bounced'
            when s.metadata ->> 'unsubscribe_reason' = 'complaint' then 'complained'
            else 'unsubscribed' end
     end, s.unsubscribed_at)) as m (kind, at)
 where m.kind is not null and m.at < (select since from subscriber_growth_counting)
   and (s.status = 'active' or (s.status = 'unsubscribed' and s.unsubscribed_at is not null
        and (s.confirmed_at is not null or s.status_before = 'active')))
 group by 1, 2, 3;
