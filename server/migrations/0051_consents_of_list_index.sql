-- concurrently
-- The consents of a deleted newsletter, newest first: GET /deleted-newsletters/{id}/consents.
create index concurrently consents_of_list on consents (workspace_id, newsletter_id, id);
