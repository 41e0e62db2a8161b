-- concurrently
-- The calendar reads the broadcasts of a day in the order of their times, also when thousands were sent before.
drop index concurrently if exists broadcasts_by_time;
create index concurrently broadcasts_by_time on broadcasts (workspace_id, scheduled_for) where scheduled_for is not null;
