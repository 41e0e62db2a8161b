-- Newsletters: lists of people who asked for mail, what is sent to them, and the proof that they asked. Rows that a list
-- has by the million (subscribers, consents) have no foreign key to their newsletter: it is deleted at once, and they go
-- page by page (newsletter_purges).

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
  -- Days after which who never confirmed is forgotten; null: the setting; 0: never.
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

-- Newsletters that are gone and whose rows are still to be removed.
create table newsletter_purges (
  workspace_id uuid not null,
  newsletter_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, newsletter_id)
);

create domain subscriber_status as text check (value in ('pending', 'active', 'unsubscribed'));

create table subscribers (
  workspace_id uuid not null,
  id uuid not null,
  newsletter_id uuid not null,
  -- The identity of the address: lower case, domain in ASCII.
  email text not null check (email = lower(email)),
  name text,
  source text,
  metadata jsonb not null default '{}',
  status subscriber_status not null,
  -- Links to confirm carry it; leaving raises it, so that a link from before does not bring anybody back.
  generation integer not null default 0,
  confirmed_at timestamptz,
  unsubscribed_at timestamptz,
  -- What an undo restores, and the issue whose link was followed.
  status_before subscriber_status,
  unsubscribed_issue_id uuid,
  confirmation_sent_at timestamptz,
  confirmation_count integer not null default 0,
  consent jsonb not null default '{}',
  last_opened_at timestamptz,
  last_clicked_at timestamptz,
  -- The import that made the row, for its undo.
  import_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
-- One row per address; also the order in which an issue is frozen.
create unique index subscribers_once on subscribers (workspace_id, newsletter_id, email);
create index subscribers_by_time on subscribers (workspace_id, newsletter_id, created_at desc, id desc);
create index subscribers_by_status on subscribers (workspace_id, newsletter_id, status, created_at desc, id desc);
create index subscribers_of_address on subscribers (workspace_id, email);
create index subscribers_unconfirmed on subscribers (created_at) where status = 'pending';

-- How many subscribers are in each state, as changes that are summed: concurrent sign-ups would wait for one row, and a
-- count reads the whole list. Folded into one row by a sweep; a sum is exact at every moment, because the change is
-- written by the statement that makes it.
create table subscriber_counts (
  workspace_id uuid not null,
  id uuid not null default ph_uuidv7(),
  newsletter_id uuid not null,
  pending integer not null,
  active integer not null,
  unsubscribed integer not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);
create index subscriber_counts_of_newsletter on subscriber_counts (workspace_id, newsletter_id)
  include (pending, active, unsubscribed);

create function ph_count_added_subscribers() returns trigger language plpgsql as $$
begin
  insert into subscriber_counts (workspace_id, newsletter_id, pending, active, unsubscribed)
  select workspace_id, newsletter_id, count(*) filter (where status = 'pending'), count(*) filter (where status = 'active'),
         count(*) filter (where status = 'unsubscribed')
    from added group by workspace_id, newsletter_id;
  return null;
end
$$;
create function ph_count_removed_subscribers() returns trigger language plpgsql as $$
begin
  insert into subscriber_counts (workspace_id, newsletter_id, pending, active, unsubscribed)
  select workspace_id, newsletter_id, -count(*) filter (where status = 'pending'),
         -count(*) filter (where status = 'active'), -count(*) filter (where status = 'unsubscribed')
    from removed group by workspace_id, newsletter_id;
  return null;
end
$$;
create function ph_count_moved_subscribers() returns trigger language plpgsql as $$
begin
  insert into subscriber_counts (workspace_id, newsletter_id, pending, active, unsubscribed)
  select workspace_id, newsletter_id, sum(pending), sum(active), sum(unsubscribed)
    from (
      select n.workspace_id, n.newsletter_id,
             (n.status = 'pending')::integer - (o.status = 'pending')::integer as pending,
             (n.status = 'active')::integer - (o.status = 'active')::integer as active,
             (n.status = 'unsubscribed')::integer - (o.status = 'unsubscribed')::integer as unsubscribed
        from after_change n join before_change o on o.workspace_id = n.workspace_id and o.id = n.id
       where n.status <> o.status
    ) as change
   group by workspace_id, newsletter_id;
  return null;
end
$$;
create trigger subscribers_added after insert on subscribers referencing new table as added
  for each statement execute function ph_count_added_subscribers();
create trigger subscribers_removed after delete on subscribers referencing old table as removed
  for each statement execute function ph_count_removed_subscribers();
create trigger subscribers_moved after update on subscribers
  referencing old table as before_change new table as after_change
  for each statement execute function ph_count_moved_subscribers();

-- What a person asked for and withdrew, in order: the proof that an authority asks for. Never changed; when the person
-- is erased the address and everything else about them leaves, and a keyed hash of the address stays.
create table consents (
  workspace_id uuid not null,
  id uuid not null,
  newsletter_id uuid not null,
  subscriber_id uuid,
  email_hash bytea not null,
  email text,
  action text not null check (action in ('signed_up', 'confirmed', 'unsubscribed', 'undone', 'imported', 'added', 'erased')),
  at timestamptz not null default now(),
  ip text,
  user_agent text,
  url text,
  source text,
  -- Which wording of the form or the email they saw.
  form_version text,
  -- The confirmation email that was sent, and the link that was followed.
  email_id uuid,
  token_id text,
  details jsonb,
  primary key (workspace_id, id)
);
create index consents_of_subscriber on consents (workspace_id, subscriber_id, id) where subscriber_id is not null;
create index consents_of_hash on consents (workspace_id, newsletter_id, email_hash, id);

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
  -- Who said so: what a scheduled issue is sent as.
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
