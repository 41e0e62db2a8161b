-- As 0135: one entry for each change that a person or a key makes, for all the days of the setting. The purge of
-- deleted workspaces removes them page by page.
alter table audit_entries drop constraint audit_entries_workspace_id_fkey;
