-- Sending domains as the delivery service (Amazon SES) knows them: a name exists once in its account and region. A row
-- outlasts its domain until the service has forgotten the name too, so it has no foreign key.
create table provider_identities (
  domain text not null,
  region text not null,
  -- The domain whose key the identity has, or is to have. When that domain is gone, the identity goes.
  workspace_id uuid not null,
  domain_id uuid not null,
  -- Of the key that the service has; null: none of ours yet.
  selector text,
  -- The key was seen in the DNS. Only then is an identity changed that the service had before us.
  is_proven boolean not null default false,
  -- We made it, and so we delete it.
  is_ours boolean not null default false,
  -- The service has verified it: it takes mail of this domain, and signs it.
  ready_at timestamptz,
  attempts integer not null default 0,
  -- Why the last attempt failed.
  failure text,
  -- null: nothing is to be done.
  next_try_at timestamptz,
  -- A process is at it.
  leased_until timestamptz,
  primary key (domain, region)
);
create index provider_identities_due on provider_identities (next_try_at) where next_try_at is not null;
create index provider_identities_of_domain on provider_identities (workspace_id, domain_id);
