-- An import asks of every address whether its person was erased: of the few that were, and not of everything on record.
create index consents_erased on consents (workspace_id, newsletter_id, email_hash) where action = 'erased';
