-- The database that this row was last seen in, and how often it was seen: decision 0144. A restored or copied database
-- differs. Null: no process that sends has run since the upgrade.
alter table instance
  add column system_identifier text,
  add column timeline integer,
  add column database_oid text,
  add column table_oid text,
  add column epoch bigint,
  add column seen_at timestamptz;
