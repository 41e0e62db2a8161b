-- Newsletters: lists of people who asked for mail, what is sent to them, and the proof that they asked. Rows that a
-- list has by the million (subscribers, consents) have no foreign key to their newsletter: it is deleted at once, and
-- they go page by page (newsletter_purges).

create table newsletters (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  name text not null,
  slug text not null,
  description text,
  from_email text,
  from_name text,
  reply_to text,
  double_opt_in boolean not null default true,
  accent_color text,
  logo_url text,
  postal_address text,
  timezone text not null default 'UTC',
  -- Of its pages, its confirmation email and its footer: the name of a locale we have.
  language text not null default 'en',
  track_opens boolean not null default true,
  track_clicks boolean not null default true,
  archive_enabled boolean not null default true,
  unsubscribe_confirm_page boolean not null default false,
  -- False closes every public way in: page, embed and JSON.
  signup_enabled boolean not null default true,
  -- Origins that a plain form may be sent back to.
  redirect_origins text[] not null default '{}',
  -- Days after which a subscriber who never confirmed is forgotten; null: the setting; 0: never.
  pending_purge_days integer check (pending_purge_days between 0 and 3650),
  -- Sign-ups came so unusually fast that confirmation emails rest; null: they do not.
  confirmations_paused_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- The public pages start from a slug alone, which is unique over the whole instance.
create table newsletter_slugs (
  slug text primary key check (slug = lower(slug)),
  workspace_id uuid not null,
  newsletter_id uuid not null,
  foreign key (workspace_id, newsletter_id) references newsletters (workspace_id, id) on delete cascade
);
create unique index newsletter_slugs_of_newsletter on newsletter_slugs (workspace_id, newsletter_id);

-- Where a newsletter was before: its pages lead on from there until another newsletter takes the word.
create table newsletter_former_slugs (
  workspace_id uuid not null,
  slug text primary key check (slug = lower(slug)),
  newsletter_id uuid not null,
  foreign key (workspace_id, newsletter_id) references newsletters (workspace_id, id) on delete cascade
);
create index newsletter_former_slugs_of_newsletter on newsletter_former_slugs (workspace_id, newsletter_id);

-- Newsletters that are gone and whose rows are still to be removed.
create table newsletter_purges (
  workspace_id uuid not null,
  newsletter_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, newsletter_id)
);

create domain issue_status as text check (value in ('draft', 'scheduled', 'sending', 'sent', 'cancelled', 'failed'));

create table issues (
  workspace_id uuid not null,
  id uuid not null,
  newsletter_id uuid not null,
  -- Its place in the archive, unique in its newsletter.
  slug text not null,
  subject text not null,
  preheader text,
  html_body text not null,
  text_body text,
  status issue_status not null default 'draft',
  scheduled_for timestamptz,
  timezone text,
  schedule_note text,
  started_at timestamptz,
  sent_at timestamptz,
  cancelled_at timestamptz,
  failed_at timestamptz,
  error text,
  error_code text,
  -- The person or key that said so: a scheduled issue is sent as theirs.
  sent_by jsonb,
  -- Recipients that were frozen; before that, those expected.
  total_recipients integer,
  -- Its bulk send in the outbox, from the moment it is being sent.
  send_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, newsletter_id, slug)
);
create index issues_of_newsletter on issues (workspace_id, newsletter_id, id desc);
create index issues_due on issues (scheduled_for) where status = 'scheduled';
create index issues_under_way on issues (started_at) where status = 'sending';
create index issues_of_send on issues (workspace_id, send_id) where send_id is not null;
-- The archive and the feeds of a newsletter: what was sent, newest first, without reading what is being written.
create index issues_sent on issues (workspace_id, newsletter_id, sent_at desc, id desc) where status = 'sent';
