-- The management of domains: their checks in the DNS, their claim over the whole installation, and further DKIM keys.
-- The checks have tables of their own: every claim of an email reads `domains`, and a check writes several times a day.

alter table domains
  add column receiving_enabled boolean not null default false,
  add column webhook_url text,
  add column bimi_enabled boolean not null default false;

-- The state of the checks of one domain. A domain without a row is never checked: that of the first start.
create table domain_watches (
  workspace_id uuid not null,
  domain_id uuid not null,
  -- null: no check in the background
  next_check_at timestamptz,
  -- The end of the checks of a domain that is not verified.
  watch_until timestamptz not null,
  -- The last check that began: at most one begins in ten seconds.
  begun_at timestamptz,
  last_checked_at timestamptz,
  failure_reason text,
  -- Checks of a verified domain in a row that found it wrong, and since when. Temporary failures change neither.
  failed_checks integer not null default 0,
  failing_since timestamptz,
  -- By record: key, status, found, hint, publish.
  record_states jsonb not null default '[]',
  primary key (workspace_id, domain_id),
  foreign key (workspace_id, domain_id) references domains (workspace_id, id) on delete cascade
);
create index domain_watches_due on domain_watches (next_check_at) where next_check_at is not null;

-- The evidence of each check. Rows end after 30 days, with the next check of their domain, or with it.
create table domain_checks (
  workspace_id uuid not null,
  id uuid not null,
  domain_id uuid not null,
  at timestamptz not null,
  -- who asked for it: a caller or the clock
  by_hand boolean not null,
  outcome text not null check (outcome in ('verified', 'failed', 'temporary_failure')),
  reason text,
  records jsonb not null,
  lookups jsonb not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, domain_id) references domains (workspace_id, id) on delete cascade
);
create index domain_checks_of_domain on domain_checks (workspace_id, domain_id, id desc);

-- Which workspace a name is verified for: one over the whole installation. Unverified domains of one name may exist in
-- many workspaces; the first that is verified gets the row.
create table verified_domains (
  domain text primary key,
  workspace_id uuid not null,
  domain_id uuid not null,
  foreign key (workspace_id, domain_id) references domains (workspace_id, id) on delete cascade
);
create index verified_domains_of_domain on verified_domains (workspace_id, domain_id);

-- DKIM keys beside the one that signs: the next one, until it is seen in the DNS, and the former one, whose record must
-- stay until mail that it has signed is delivered. The former one has no private half.
create table domain_dkim_keys (
  workspace_id uuid not null,
  domain_id uuid not null,
  role text not null check (role in ('next', 'former')),
  selector text not null,
  private_key bytea,
  public_key text not null,
  -- of a former key: when its record may be deleted
  until timestamptz,
  primary key (workspace_id, domain_id, role),
  foreign key (workspace_id, domain_id) references domains (workspace_id, id) on delete cascade
);
