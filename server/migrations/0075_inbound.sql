-- Mail that arrives for the domains of workspaces.

-- An endpoint of this kind is the webhook_url of a domain: its id is that of the domain, it gets the received mail of
-- the domain and no other event, and no list of endpoints shows it. Its deliveries are those of every other endpoint.
alter table webhooks add column forwards_domain_id uuid;

-- Without foreign keys: a deleted domain or workspace may have 2 GB of mail, which goes page by page (the rows of
-- inbound_usage tell of whom mail is left).
create table inbound_emails (
  workspace_id uuid not null,
  id uuid not null,
  domain_id uuid not null,
  received_at timestamptz not null default now(),
  -- SHA-256 of envelope and bytes: a server that did not hear the answer delivers the same once more.
  digest bytea not null,
  size integer not null,
  -- '' is the null sender.
  envelope_from text not null,
  envelope_to text[] not null,
  client_ip text not null,
  client_name text,
  -- null: it waits to be read.
  read_at timestamptz,
  -- Begun before the message is read, so that one that ends the process is given up.
  tries smallint not null default 0,
  next_try_at timestamptz not null default now(),
  -- Why its parts could not be read; the bytes are kept all the same.
  parse_error text,
  from_email text,
  from_name text,
  subject text,
  message_id text,
  in_reply_to text,
  "references" text[] not null default '{}',
  written_at timestamptz,
  auto_submitted boolean not null default false,
  mailbox_hash text,
  thread_id uuid,
  in_reply_to_email_id uuid,
  matched_by text check (matched_by in ('in_reply_to', 'references', 'provider_id', 'plus_address')),
  text text,
  html text,
  -- The characters of the text in front of what it quotes, and how sure that is.
  stripped_chars integer,
  stripped_confidence real,
  -- to, cc, reply_to, headers, attachments
  parts jsonb not null default '{}',
  -- spf, dkim, dmarc, arc
  auth jsonb,
  -- The event that is forwarded; null: nobody was told.
  event_id uuid,
  primary key (workspace_id, id)
  -- Reading a message leaves a dead entry of inbound_emails_waiting, which every look passes.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create unique index inbound_emails_once on inbound_emails (workspace_id, domain_id, digest);
create index inbound_emails_waiting on inbound_emails (next_try_at) where read_at is null;
create index inbound_emails_age on inbound_emails (received_at);
create index inbound_emails_of_domain on inbound_emails (workspace_id, domain_id, id);
create index inbound_emails_of_thread on inbound_emails (workspace_id, thread_id, id);
create index inbound_emails_by_message_id on inbound_emails (workspace_id, message_id) where message_id is not null;
create index inbound_emails_by_sender on inbound_emails (workspace_id, from_email, id) where from_email is not null;

create table inbound_messages (
  workspace_id uuid not null,
  inbound_id uuid not null,
  bytes bytea not null,
  primary key (workspace_id, inbound_id),
  foreign key (workspace_id, inbound_id) references inbound_emails (workspace_id, id) on delete cascade
);
-- A part is read by its place, and files in mail are compressed already.
alter table inbound_messages alter column bytes set storage external;

-- The mail of a domain and its bytes, counted where they are added and removed.
create table inbound_usage (
  workspace_id uuid not null,
  domain_id uuid not null,
  emails integer not null,
  bytes bigint not null,
  primary key (workspace_id, domain_id)
);

-- The emails with which somebody answered received mail: an answer to one of them belongs to the same thread.
create table inbound_replies (
  workspace_id uuid not null,
  email_id uuid not null,
  inbound_id uuid not null,
  thread_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, email_id),
  foreign key (workspace_id, inbound_id) references inbound_emails (workspace_id, id) on delete cascade
);
create index inbound_replies_of_inbound on inbound_replies (workspace_id, inbound_id);
