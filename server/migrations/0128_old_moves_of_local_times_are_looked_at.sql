-- A process of a version before 0113 sets or moves the time of a broadcast at local times and leaves `starts_at`: moved
-- from next month to tomorrow, the broadcast was looked at next month. The look is brought forward to when this local
-- time can begin somewhere: what shows in the zone of the broadcast is at most 12 hours behind UTC, and the first zone
-- is 14 hours ahead. A newer process writes both; where its look stays by chance, an earlier one only looks again.
create function ph_look_at_local_times() returns trigger
language plpgsql as $function$
begin
  new.starts_at := least(new.starts_at, greatest(clock_timestamp(), new.scheduled_for - interval '26 hours'));
  return new;
end
$function$;

create trigger broadcasts_local_times_looked_at before update of status, scheduled_for on broadcasts
  for each row when (new.status = 'scheduled' and new.recipient_timezone
    and new.starts_at is not distinct from old.starts_at
    and (old.status <> 'scheduled' or new.scheduled_for is distinct from old.scheduled_for))
  execute function ph_look_at_local_times();
