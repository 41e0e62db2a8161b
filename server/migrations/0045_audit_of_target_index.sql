-- concurrently
-- What was done to one record, newest first: GET /audit?target=.
create index concurrently audit_entries_of_target_by_time on audit_entries (workspace_id, target_id, at desc, seq desc);
