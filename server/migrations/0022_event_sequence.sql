-- Each event of an email has a number of its own, 1, 2, 3 and so on, in the order in which they were recorded, because
-- receivers of webhooks may see them in any order. Every statement that writes an event holds the row of its email (it
-- updates it, has locked it, or has just made it), so the events of one email are numbered one after another. A query
-- in a volatile function sees what was committed before it began, and what its own statement has written so far.
--
-- Events from before have no number; the first one after them counts them.
alter table email_events add column sequence integer;

create function ph_number_event() returns trigger
language plpgsql
set enable_seqscan = off
as $function$
begin
  select max(v.sequence) + 1 into new.sequence from email_events v
   where v.workspace_id = new.workspace_id and v.email_id = new.email_id;
  if new.sequence is null then
    select count(*) + 1 into new.sequence from email_events v
     where v.workspace_id = new.workspace_id and v.email_id = new.email_id;
  end if;
  return new;
end
$function$;

create trigger email_events_numbered before insert on email_events
  for each row when (new.sequence is null) execute function ph_number_event();
