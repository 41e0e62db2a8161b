-- Tables of the whole installation.

-- A value sealed with the master secret when the database was first used. A process that cannot open it was started
-- with another secret, and would find every DKIM key and kept answer unreadable later, one request at a time.
create table instance (
  only_row boolean primary key default true check (only_row),
  secret_check bytea not null,
  created_at timestamptz not null default now()
);

-- Counts that slow abuse (sign-ins, sign-ups, mail to one address), on all processes together. Unlogged: a crash
-- forgets counts of a day at most, which costs less than writing them twice.
create unlogged table attempt_counts (
  -- SHA-256 of what is counted: the table holds no address of anybody.
  subject bytea primary key,
  attempts integer not null,
  resets_at timestamptz not null
);
create index attempt_counts_age on attempt_counts (resets_at);
