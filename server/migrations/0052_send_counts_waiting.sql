-- concurrently
-- The sends that may have pending emails: few sums, and the changes that the next second folds.
create index concurrently send_counts_waiting on send_counts (workspace_id, send_id) where waiting > 0;
