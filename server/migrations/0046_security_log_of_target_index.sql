-- concurrently
create index concurrently security_log_of_target_by_time on security_log (workspace_id, target_id, at desc, id desc);
