-- Mail that Amazon SES received, on its way to where it belongs.

-- The judgement of the service that received a message; null: it came over SMTP.
alter table inbound_emails add column verdicts jsonb;

-- Nobody knows the workspace before the recipients have been looked up.
create table inbound_arrivals (
  id uuid primary key,
  -- SHA-256 of the number that SES gave the message, and of its recipients: SNS delivers more than once, and under
  -- several numbers when there are several rules.
  digest bytea not null unique,
  received_at timestamptz not null default now(),
  -- '' is the null sender.
  envelope_from text not null,
  -- They do not have the message yet.
  recipients text[] not null,
  verdicts jsonb not null,
  -- The message, or where it lies.
  bytes bytea,
  region text,
  bucket text,
  object_key text,
  tries integer not null default 0,
  next_try_at timestamptz not null default now(),
  -- null: it waits.
  outcome text check (outcome in ('taken', 'refused')),
  -- Why it waits, or was refused.
  note text,
  check (bytes is null or bucket is null)
);
alter table inbound_arrivals alter column bytes set storage external;
create index inbound_arrivals_waiting on inbound_arrivals (next_try_at) where outcome is null;
create index inbound_arrivals_age on inbound_arrivals (received_at);
