-- A bulk change by a test key starts runs of test keys only.
alter table contact_bulk_jobs add column mode text not null default 'live';
