-- What was done in a workspace is read newest first over both logs; neither could be read in that order without a sort.
create index audit_entries_by_time on audit_entries (workspace_id, at desc, seq desc);
create index security_log_by_time on security_log (workspace_id, at desc, id desc);
