-- Subscribers are found by any part of their address or name, which needs an index of trigrams; and what is on record of
-- a consent cannot be changed any more.

-- The extension is part of every PostgreSQL that was packaged with its contrib modules, and any owner of a database may
-- install it. It can be in another schema than ours, so the index names that.
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

alter table consents drop constraint consents_action_check;
alter table consents add constraint consents_action_check check (action in
  ('signed_up', 'confirmation_sent', 'confirmed', 'unsubscribed', 'undone', 'imported', 'added', 'erased'));

-- Erasing a person empties what is about them, and a newsletter takes its records along when it is deleted; there is no
-- other way to change what was recorded.
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

-- Erasing somebody finds the events that carry their address.
create index workspace_events_of_subscriber on workspace_events (workspace_id, ((payload #>> '{subscriber,id}')))
  where payload ? 'subscriber';

-- Whose traces in emails, events and captured mail are still to be removed, by the only name that is left of them.
create table erasures (
  workspace_id uuid not null,
  subscriber_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, subscriber_id)
);
