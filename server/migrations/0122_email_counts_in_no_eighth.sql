-- concurrently
-- The rows of the last day, and of late events: those that a read adds to the eighths of a day.
drop index concurrently if exists email_counts_in_no_eighth;
create index concurrently email_counts_in_no_eighth on email_counts (workspace_id, quarter) where not in_eighths;
