-- concurrently
-- As of broadcasts: an issue that was sent at once has no scheduled_for, or a later one.
drop index concurrently if exists issues_by_leaving;
create index concurrently issues_by_leaving on issues (workspace_id, (least(scheduled_for, started_at)));
drop index concurrently if exists issues_by_time;
