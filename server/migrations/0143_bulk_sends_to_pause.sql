-- concurrently
-- The bulk sends that are to be paused: mostly none, and looked for twice a second.
drop index concurrently if exists bulk_health_to_pause;
create index concurrently bulk_health_to_pause on bulk_health (workspace_id, send_id) where pause_reason is not null;
