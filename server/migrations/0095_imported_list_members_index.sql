-- concurrently
-- Finds the memberships that an undo ends.
drop index concurrently if exists contact_list_members_imported;
create index concurrently contact_list_members_imported on contact_list_members (workspace_id, import_id, contact_id)
  where import_id is not null;
