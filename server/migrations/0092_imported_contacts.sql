-- The import that added a contact: for the undo of the import.
alter table contacts add column import_id uuid;
