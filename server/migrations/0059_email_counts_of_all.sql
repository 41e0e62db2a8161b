-- concurrently
-- Most reads leave tags out, and the rows of tags are more than half of the table.
drop index concurrently if exists email_counts_of_all;
create index concurrently email_counts_of_all on email_counts (workspace_id, quarter) where tag = '';
