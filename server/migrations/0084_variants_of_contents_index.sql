-- concurrently
-- The retention of sends looks up the contents of single recipients.
drop index concurrently if exists contents_variants;
create index concurrently contents_variants on contents (workspace_id, variant_of) where variant_of is not null;
