-- concurrently
-- The events of an email in their order, in place of the order of their ids: the highest number is one probe.
create index concurrently email_events_in_order on email_events (workspace_id, email_id, sequence);
drop index concurrently if exists email_events_of_email;
