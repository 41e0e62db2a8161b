-- As 0135: an import adds a million addresses.
alter table suppressions drop constraint suppressions_workspace_id_fkey;
