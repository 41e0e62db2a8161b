-- concurrently
-- The calendar shows broadcasts that were sent at once too, which have no scheduled_for, or a later one.
drop index concurrently if exists broadcasts_by_leaving;
create index concurrently broadcasts_by_leaving on broadcasts
  (workspace_id, (case when recipient_timezone then scheduled_for else least(scheduled_for, started_at) end));
drop index concurrently if exists broadcasts_by_time;
