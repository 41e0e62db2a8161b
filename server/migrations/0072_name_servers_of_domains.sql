-- The name servers of a domain as the last check found them, for the steps at the host of its DNS. null: not known.
alter table domain_watches add column name_servers text[];
