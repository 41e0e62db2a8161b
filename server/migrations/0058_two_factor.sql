-- The second step of a sign-in: one secret for each person, encrypted, and codes for the day their phone is lost.
create table two_factors (
  user_id uuid primary key references users (id) on delete cascade,
  secret bytea not null,
  -- null: it was set up and not proved yet
  enabled_at timestamptz,
  -- the last half minute whose code was taken: no code works twice
  last_step bigint not null default 0,
  created_at timestamptz not null
);

create table recovery_codes (
  user_id uuid not null references two_factors (user_id) on delete cascade,
  -- SHA-256 of 80 random bits
  hash bytea not null,
  used_at timestamptz,
  primary key (user_id, hash)
);
