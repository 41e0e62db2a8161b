-- The erasure of an address takes it out of the records of people who had it before, too.
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
     or new.source <> coalesce(old.source, '')
     or new.details not in (coalesce(old.details, 'null'), coalesce(old.details - 'previous_email', 'null'))
  then
    raise exception 'a consent on record cannot be changed' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;
