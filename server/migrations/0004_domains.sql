-- Sending domains.

create table domains (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  domain text not null check (domain = lower(domain)),
  provider_region text not null default 'us-east-1',
  dkim_status text not null default 'pending' check (dkim_status in ('pending', 'verified', 'failed', 'temporary_failure')),
  sending_enabled boolean not null default false,
  dkim_selector text not null,
  -- PKCS#8 key under AES-256-GCM; the public half as it stands in DNS (base64 DER, no line breaks).
  dkim_private_key bytea,
  dkim_public_key text,
  -- null: unlimited; 0: blocked. Counted in recipients accepted.
  max_daily_emails integer check (max_daily_emails >= 0),
  max_monthly_emails integer check (max_monthly_emails >= 0),
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, domain)
);
