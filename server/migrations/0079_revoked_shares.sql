-- Links to the records of a domain that were made until then are dead.
alter table domains add column shares_revoked_at timestamptz;
