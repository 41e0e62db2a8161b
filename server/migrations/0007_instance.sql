-- A value sealed with the master secret when the database was first used. A process that cannot open it was started
-- with another secret, and would find every DKIM key and kept answer unreadable later, one request at a time.

create table instance (
  only_row boolean primary key default true check (only_row),
  secret_check bytea not null,
  created_at timestamptz not null default now()
);
