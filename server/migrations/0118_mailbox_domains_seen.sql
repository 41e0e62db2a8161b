-- The day on which an email of a domain was last counted, to a week: a domain is forgotten when its emails are gone.
alter table mailbox_domains add column seen_on date not null default current_date;

-- Rows of domains that are new, to be looked up, and the day of the others. Ordered, so that two transactions wait for
-- each other in one order; a day that another transaction writes at this moment is as good as ours.
create or replace function ph_see_mailbox_domains(p_domains text[]) returns void language sql as $$
  update mailbox_domains m set seen_on = current_date
    from (select o.domain from mailbox_domains o
           where o.domain = any (p_domains) and o.seen_on < current_date - 7
           order by o.domain for update skip locked) as old
   where m.domain = old.domain;
  insert into mailbox_domains (domain)
  select d.domain from unnest(p_domains) as d (domain)
   where d.domain <> '' and not exists (select from mailbox_domains m where m.domain = d.domain)
   order by d.domain
  on conflict (domain) do nothing
$$;
