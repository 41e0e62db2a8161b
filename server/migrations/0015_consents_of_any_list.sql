-- The record of consents belongs to any kind of list and knows no table of one. The trigger looked for the newsletter
-- before it let a record go; now it asks for the list that ph_delete_consents was called with. Its caller knows that
-- the list is gone.
--
-- A process of the version before cannot purge deleted newsletters after this. It logs that and tries again, and a
-- process of this version does it.
create or replace function ph_keep_consents() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if coalesce(current_setting('posthorn.gone_list', true), '') <> old.newsletter_id::text then
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

-- Deletes up to p_limit records of a list that is gone. Records that another process is deleting are skipped. The name
-- of the list is set for the time of the statement only.
create function ph_delete_consents(p_workspace uuid, p_list uuid, p_limit integer) returns integer language plpgsql as $$
declare
  removed integer;
begin
  perform set_config('posthorn.gone_list', p_list::text, true);
  with page as materialized (
    select c.workspace_id, c.id from consents c
     where c.workspace_id = p_workspace and c.newsletter_id = p_list
     limit p_limit for update skip locked
  )
  delete from consents c using page p where c.workspace_id = p.workspace_id and c.id = p.id;
  get diagnostics removed = row_count;
  perform set_config('posthorn.gone_list', '', true);
  return removed;
end
$$;
