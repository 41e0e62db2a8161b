-- concurrently
-- Mail of Amazon SES that was refused and is not emptied yet: once an hour it is looked for by its age. By the index
-- of ages, that look read all that had arrived in three weeks.
drop index concurrently if exists inbound_arrivals_refused;
create index concurrently inbound_arrivals_refused on inbound_arrivals (received_at)
 where outcome = 'refused' and recipients <> '{}';
