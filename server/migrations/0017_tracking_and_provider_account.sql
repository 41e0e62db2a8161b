-- Tracking by default, for sends that do not say; and what the provider's account allows.

alter table workspaces
  add column track_opens boolean not null default false,
  add column track_clicks boolean not null default false;

-- What the provider told us about our account with it, read at start and every hour.
create table provider_accounts (
  provider text not null primary key,
  max_send_rate double precision,
  max_24_hour_send double precision,
  sent_last_24_hours double precision,
  details jsonb not null default '{}',
  checked_at timestamptz not null default now(),
  error text
);

-- Recipients per second that the provider allows; the setting when it is lower. null: it has not said.
alter table send_pace add column provider_rate double precision;
