-- concurrently
-- The calendar reads the issues of a day in the order of their times, also when thousands were sent before.
drop index concurrently if exists issues_by_time;
create index concurrently issues_by_time on issues (workspace_id, scheduled_for) where scheduled_for is not null;
