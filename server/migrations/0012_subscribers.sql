-- The people on a list, how many there are in each state, and what they asked for and withdrew.

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
  -- The state that an undo restores, and the issue whose link was followed.
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
  -- True for somebody who left by following a link and has not shown since that a person meant it: scanners follow
  -- links too.
  unsubscribed_by_visit boolean not null default false,
  primary key (workspace_id, id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
-- One row per address; also the order in which an issue is frozen. Pages by address of those in one state, and pages
-- far down a list, pass over entries of this index alone, because it knows the state too.
create unique index subscribers_once on subscribers (workspace_id, newsletter_id, email) include (status);
-- Ascending, and read from either end. People come at the end: in a descending index that is its first page, which is
-- split in halves again and again. It was twice as large (132 MB of a million, 74 MB ascending), and so was what a
-- page far down the list passes over.
create index subscribers_by_time on subscribers (workspace_id, newsletter_id, created_at, id);
create index subscribers_by_status on subscribers (workspace_id, newsletter_id, status, created_at, id);
-- A list of a million is also asked for those of one source: without this it was read to its end when they are few
-- (289 ms for none of a million, 21 November 2026).
create index subscribers_by_source on subscribers (workspace_id, newsletter_id, source, created_at, id)
  where source is not null;
create index subscribers_of_address on subscribers (workspace_id, email);
create index subscribers_unconfirmed on subscribers (created_at) where status = 'pending';
-- Rows that an import made: for its undo and for its confirmation emails.
create index subscribers_of_import on subscribers (workspace_id, import_id, id) where import_id is not null;

-- Subscribers are found by any part of their address or name, which needs an index of trigrams. The extension is part
-- of every PostgreSQL that was packaged with its contrib modules, and any owner of a database may install it. It can
-- be in another schema than ours, so the index names that.
do $$
declare
  home text;
begin
  if not exists (select from pg_extension where extname = 'pg_trgm') then
    begin
      create extension pg_trgm;
    exception when insufficient_privilege or undefined_file or feature_not_supported then
      raise exception 'Posthorn needs the PostgreSQL extension pg_trgm, and this account cannot install it: %', sqlerrm
        using hint = 'Install the contrib modules of PostgreSQL if they are missing, then run as a superuser, in this database: create extension pg_trgm;';
    end;
  end if;
  select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
  -- One text for both, so one look into the index; a line feed, which neither can have, is between them.
  execute format(
    'create index subscribers_search on subscribers using gin ((email || E''\n'' || lower(coalesce(name, ''''))) %I.gin_trgm_ops)',
    home);
end
$$;

-- Two letters make no trigram. With every character of ASCII that can follow they do, so a search for two is a search
-- for some forty trigrams; the few texts in which something else can follow are looked into.
create index subscribers_beyond_ascii on subscribers (workspace_id, newsletter_id)
  where octet_length(email || E'\n' || lower(coalesce(name, ''))) > length(email || E'\n' || lower(coalesce(name, '')));
-- A search for one character, or for several that are no letters, makes no trigram: for what nobody has the whole
-- list was read (0.4 to 0.6 s of a million, 21 November 2026). The characters of a million are 26 MB, built in 30 s
-- on a machine with fifteen times the work it can do.
create index subscribers_characters on subscribers
  using gin (string_to_array(email || E'\n' || lower(coalesce(name, '')), null));

-- How many subscribers are in each state, as changes that are summed: concurrent sign-ups would wait for one row, and
-- a count reads the whole list. Folded into one row by a sweep; a sum is exact at every moment, because the change is
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
-- Both sides of a change are summed apart, without pairs, as in ph_count_moved_emails.
create function ph_count_moved_subscribers() returns trigger language plpgsql as $$
begin
  insert into subscriber_counts (workspace_id, newsletter_id, pending, active, unsubscribed)
  select workspace_id, newsletter_id, sum(pending), sum(active), sum(unsubscribed)
    from (
      select workspace_id, newsletter_id, (status = 'pending')::integer as pending, (status = 'active')::integer as active,
             (status = 'unsubscribed')::integer as unsubscribed
        from after_change
      union all
      select workspace_id, newsletter_id, -(status = 'pending')::integer, -(status = 'active')::integer,
             -(status = 'unsubscribed')::integer
        from before_change
    ) as change
   group by workspace_id, newsletter_id
  having sum(pending) <> 0 or sum(active) <> 0 or sum(unsubscribed) <> 0;
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

-- Subscribers of a newsletter are an audience. Whatever statement moves them: a subscriber who is not active any more
-- is stopped, one who is again is let. Grouped and not joined: a plan that was made for one row would compare each
-- row of a large statement with each.
create function ph_stop_moved_subscribers() returns trigger
language plpgsql
as $function$
declare
  moved record;
begin
  select array_agg(m.workspace_id) filter (where m.side < 0) as left_workspaces,
         array_agg(m.newsletter_id) filter (where m.side < 0) as left_lists,
         array_agg(m.id) filter (where m.side < 0) as left_ids,
         array_agg(m.workspace_id) filter (where m.side > 0) as back_workspaces,
         array_agg(m.newsletter_id) filter (where m.side > 0) as back_lists,
         array_agg(m.id) filter (where m.side > 0) as back_ids
    into moved
    from (
      select workspace_id, newsletter_id, id, sum(side) as side
        from (
          select workspace_id, newsletter_id, id, 1 as side from after_change where status = 'active'
          union all
          select workspace_id, newsletter_id, id, -1 from before_change where status = 'active'
        ) as both_sides
       group by workspace_id, newsletter_id, id
      having sum(side) <> 0
    ) as m;
  if moved.left_ids is not null then
    perform ph_stop_recipients(moved.left_workspaces, moved.left_lists, moved.left_ids);
  end if;
  if moved.back_ids is not null then
    perform ph_let_recipients(moved.back_workspaces, moved.back_lists, moved.back_ids);
  end if;
  return null;
end
$function$;

-- A deleted subscriber is stopped, too. The purge of a whole newsletter stops nobody: its sends are withdrawn before.
create function ph_stop_removed_subscribers() returns trigger
language plpgsql
as $function$
declare
  gone record;
begin
  select array_agg(r.workspace_id) as workspaces, array_agg(r.newsletter_id) as lists, array_agg(r.id) as ids
    into gone
    from removed r
   where r.status = 'active' and not exists (
     select from newsletter_purges p where p.workspace_id = r.workspace_id and p.newsletter_id = r.newsletter_id);
  if gone.ids is not null then
    perform ph_stop_recipients(gone.workspaces, gone.lists, gone.ids);
  end if;
  return null;
end
$function$;

create trigger subscribers_stopped after update on subscribers
  referencing old table as before_change new table as after_change
  for each statement execute function ph_stop_moved_subscribers();
create trigger subscribers_stopped_by_removal after delete on subscribers referencing old table as removed
  for each statement execute function ph_stop_removed_subscribers();

-- Consents that a person gave and withdrew, in order: the proof that an authority asks for. Never changed; when the
-- person is erased the address and everything else about them leaves, and a keyed hash of the address stays.
create table consents (
  workspace_id uuid not null,
  id uuid not null,
  newsletter_id uuid not null,
  subscriber_id uuid,
  email_hash bytea not null,
  email text,
  action text not null check (action in
    ('signed_up', 'confirmation_sent', 'confirmed', 'unsubscribed', 'undone', 'imported', 'added', 'erased')),
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
-- An import asks of every address whether its person was erased: of the few that were, and not of everything on
-- record.
create index consents_erased on consents (workspace_id, newsletter_id, email_hash) where action = 'erased';

-- Erasing a person empties what is about them, and a newsletter takes its records along when it is deleted; there is
-- no other way to change what was recorded.
create function ph_keep_consents() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from newsletters n where n.workspace_id = old.workspace_id and n.id = old.newsletter_id) then
      raise exception 'a consent on record cannot be deleted' using errcode = 'integrity_constraint_violation';
    end if;
    return old;
  end if;
  if (new.workspace_id, new.id, new.newsletter_id, new.email_hash, new.action, new.at, new.form_version, new.email_id,
      new.token_id)
       is distinct from
     (old.workspace_id, old.id, old.newsletter_id, old.email_hash, old.action, old.at, old.form_version, old.email_id,
      old.token_id)
     or new.subscriber_id <> coalesce(old.subscriber_id, '00000000-0000-0000-0000-000000000000')
     or new.email <> coalesce(old.email, '') or new.ip <> coalesce(old.ip, '')
     or new.user_agent <> coalesce(old.user_agent, '') or new.url <> coalesce(old.url, '')
     or new.source <> coalesce(old.source, '') or new.details <> coalesce(old.details, 'null')
  then
    raise exception 'a consent on record cannot be changed' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;
create trigger consents_kept before update or delete on consents for each row execute function ph_keep_consents();

-- People whose traces in emails, events and captured mail are still to be removed, by the only name that is left of
-- them.
create table erasures (
  workspace_id uuid not null,
  subscriber_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, subscriber_id)
);
