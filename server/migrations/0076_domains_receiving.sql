-- concurrently
-- Mail to a name is routed by the one domain that receives it.
drop index concurrently if exists domains_receiving;
create index concurrently domains_receiving on domains (domain) where receiving_enabled;
