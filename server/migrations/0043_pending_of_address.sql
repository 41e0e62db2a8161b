-- concurrently
-- A reader whose link was cut asks for a new one by the address alone. Pending rows are few beside the others.
create index concurrently subscribers_pending_of_address on subscribers (email, id) where status = 'pending';
