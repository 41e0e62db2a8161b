-- As 0135: one row for each connection that a customer's program made to the relay in seven days.
alter table relay_sessions drop constraint relay_sessions_workspace_id_fkey;
