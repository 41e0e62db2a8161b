-- A process of a version before 0113 would start a broadcast at local times for everybody at once: it writes
-- recipients without parts (decision 0185). It answers 503, or tries later, while a newer process starts it.
create function ph_refuse_unknown_local_times() returns trigger
language plpgsql as $function$
begin
  if not exists (select from broadcast_recipients r
                  where r.workspace_id = new.workspace_id and r.broadcast_id = new.id and r.part is not null) then
    raise exception 'this version of Posthorn knows no local times of recipients; a newer one starts the broadcast'
      using errcode = 'lock_not_available';
  end if;
  return new;
end
$function$;

create trigger broadcasts_local_times_known before update of status on broadcasts
  for each row when (new.status = 'sending' and old.status in ('draft', 'scheduled') and new.recipient_timezone)
  execute function ph_refuse_unknown_local_times();
