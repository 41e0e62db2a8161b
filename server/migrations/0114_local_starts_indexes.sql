-- concurrently
-- The worker asks twice a second for broadcasts that begin at a local time.
drop index concurrently if exists broadcasts_starting;
create index concurrently broadcasts_starting on broadcasts (starts_at) where status = 'scheduled' and starts_at is not null;
-- Recipients are frozen part by part, and each part in the order of addresses.
drop index concurrently if exists broadcast_recipients_of_part;
create index concurrently broadcast_recipients_of_part on broadcast_recipients (workspace_id, broadcast_id, part, recipient) where part is not null;
