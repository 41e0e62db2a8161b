-- Counts sign-in attempts per address of the network and per account, so that guessing is slow on every process
-- together. Unlogged: a crash forgets the counts of a quarter of an hour, which costs less than writing them twice.
create unlogged table sign_in_attempts (
  -- SHA-256 of what is counted: the table holds no address of anybody.
  subject bytea primary key,
  attempts integer not null,
  resets_at timestamptz not null
);
create index sign_in_attempts_age on sign_in_attempts (resets_at);
