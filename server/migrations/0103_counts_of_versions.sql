-- Statistics of each version of the content of a bulk send.
alter table send_counts add column content_version smallint not null default 1;

create or replace function ph_count_moved_emails()
 returns trigger language plpgsql as $function$
begin
  insert into send_counts (workspace_id, send_id, content_version, waiting, queued, sending, unconfirmed, sent, refused, suppressed,
    cancelled, delivered, bounced, complained, opened, clicked, opened_machine, clicked_machine, first_event_at, last_event_at)
  select * from (
    select workspace_id, send_id, content_version,
           sum(side * (status = 'pending')::integer) as waiting,
           sum(side * (status in ('queued', 'deferred'))::integer) as queued,
           sum(side * (status = 'sending')::integer) as sending,
           sum(side * (status = 'unconfirmed')::integer) as unconfirmed,
           sum(side * (status in ('sent', 'delivery_delayed', 'delivered', 'bounced', 'complained'))::integer) as sent,
           sum(side * (status = 'failed')::integer) as refused,
           sum(side * (status = 'suppressed')::integer) as suppressed,
           sum(side * (status = 'cancelled')::integer) as cancelled,
           -- An email that complained had arrived, one that bounced late had not: delivered + bounced <= sent.
           sum(side * (delivered_at is not null and status in ('delivered', 'complained'))::integer) as delivered,
           sum(side * (status = 'bounced')::integer) as bounced,
           sum(side * (status = 'complained')::integer) as complained,
           sum(side * (open_count > 0)::integer) as opened,
           sum(side * (click_count > 0)::integer) as clicked,
           sum(side * (machine_open_count > 0)::integer) as opened_machine,
           sum(side * (machine_click_count > 0)::integer) as clicked_machine,
           min(last_event_at) filter (where side = 1) as first_event_at,
           max(last_event_at) filter (where side = 1) as last_event_at
      from (
        select 1 as side, workspace_id, send_id, content_version, status, delivered_at, open_count, click_count, machine_open_count,
               machine_click_count, last_event_at
          from after_change where lane = 2 and send_id is not null
        union all
        select -1, workspace_id, send_id, content_version, status, delivered_at, open_count, click_count, machine_open_count,
               machine_click_count, last_event_at
          from before_change where lane = 2 and send_id is not null
      ) as both_sides
     group by workspace_id, send_id, content_version
  ) as change
   where last_event_at is not null or row (waiting, queued, sending, unconfirmed, sent, refused, suppressed, cancelled, delivered, bounced,
       complained, opened, clicked, opened_machine, clicked_machine)
     is distinct from row (0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint,
       0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint);
  return null;
end
$function$;
