-- concurrently
-- Finds the contacts that an undo removes.
drop index concurrently if exists contacts_imported;
create index concurrently contacts_imported on contacts (workspace_id, import_id, id) where import_id is not null;
