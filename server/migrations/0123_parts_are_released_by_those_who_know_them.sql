-- A process of a version before 0113 releases all that is pending of a send, also parts whose time has not come
-- (decision 0185). During an upgrade it is told so here, and its page is rolled back: whoever releases a page of a send
-- with parts says before that it knows them. Once all parts have begun, every process may release the rest.
create function ph_refuse_unknown_parts() returns trigger
language plpgsql as $function$
begin
  if current_setting('posthorn.knows_parts', true) is distinct from 'yes'
     and exists (select from jsonb_array_elements(new.parts) p where (p ->> 'at')::timestamptz > clock_timestamp()) then
    raise exception 'this version of Posthorn knows no parts of sends; a newer one releases them'
      using errcode = 'lock_not_available';
  end if;
  return new;
end
$function$;

-- A page is the only change that has a time of progress and nothing else: a resume ends a pause, and the others change
-- the state.
create trigger send_requests_parts_known before update of progress_at on send_requests
  for each row when (old.parts is not null and old.bulk_state = 'releasing' and new.bulk_state = 'releasing'
    and old.paused_at is null)
  execute function ph_refuse_unknown_parts();
