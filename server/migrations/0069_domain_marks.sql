-- The logo of a domain (BIMI) as its owner named it, and its certificate as the last check found it.
create table domain_marks (
  workspace_id uuid not null,
  domain_id uuid not null,
  -- Kept for the owner, and read by nobody.
  svg_path text not null,
  svg_url text not null,
  certificate_url text not null,
  certificate_kind text check (certificate_kind in ('vmc', 'cmc')),
  certificate_expires_at timestamptz,
  -- The last of the steps of 60, 30 and 7 days before the end that the owners were told of.
  told_step smallint not null default 0,
  -- At most one check begins in ten seconds.
  begun_at timestamptz,
  last_checked_at timestamptz,
  primary key (workspace_id, domain_id),
  foreign key (workspace_id, domain_id) references domains (workspace_id, id) on delete cascade
);
create index domain_marks_expiry on domain_marks (certificate_expires_at) where certificate_expires_at is not null;
