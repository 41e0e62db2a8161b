-- concurrently
-- The queued emails of a workspace that came back from a wait: retries, and mail that was held. The next ones that come
-- back take their turns behind them. Few emails come back, so the index is small.
drop index concurrently if exists emails_come_back_of_workspace;
create index concurrently emails_come_back_of_workspace on emails (workspace_id, lane, turn)
  where status = 'queued' and not_before is not null;
