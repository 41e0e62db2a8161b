-- concurrently
create index concurrently issues_awaiting_finish on issues (workspace_id, id) where awaits_finish;
