-- concurrently
-- Finds the domains that were not mailed for long.
drop index concurrently if exists mailbox_domains_by_day;
create index concurrently mailbox_domains_by_day on mailbox_domains (seen_on);
