-- The import that put a contact on a list.
alter table contact_list_members add column import_id uuid;
