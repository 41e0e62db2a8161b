-- The engine decides by tables of its own who may still get a bulk send. A send names its audience, and each of its
-- emails the recipient in it. This table holds the recipients that must not get anything more of what was frozen for
-- them. A recipient without a row may: a list of a million has a row for each of the few who left while something was
-- under way, and none for the others.

create table audience_stops (
  workspace_id uuid not null,
  audience_id uuid not null,
  recipient_id uuid not null,
  stopped_at timestamptz not null default now(),
  primary key (workspace_id, audience_id, recipient_id)
  -- It is small and its rows come and go: vacuumed by their number, and not by a share of them.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Which audience a bulk send goes to: the kind names who keeps it ('newsletter'), the id is that of the list.
alter table send_requests add column audience_kind text, add column audience_id uuid;

-- For those who keep an audience, in the transaction in which somebody leaves it: one entry of each array for each.
-- In plpgsql, which keeps its plan from call to call.
create function ph_stop_recipients(p_workspaces uuid[], p_audiences uuid[], p_recipients uuid[]) returns void
language plpgsql
as $function$
begin
  insert into audience_stops as s (workspace_id, audience_id, recipient_id)
  select distinct x.workspace_id, x.audience_id, x.recipient_id
    from unnest(p_workspaces, p_audiences, p_recipients) as x (workspace_id, audience_id, recipient_id)
   order by x.workspace_id, x.audience_id, x.recipient_id
  on conflict (workspace_id, audience_id, recipient_id) do update set stopped_at = excluded.stopped_at;
end
$function$;

-- The same for those who are in it again.
create function ph_let_recipients(p_workspaces uuid[], p_audiences uuid[], p_recipients uuid[]) returns void
language plpgsql
as $function$
begin
  delete from audience_stops s
   using unnest(p_workspaces, p_audiences, p_recipients) as x (workspace_id, audience_id, recipient_id)
   where s.workspace_id = x.workspace_id and s.audience_id = x.audience_id and s.recipient_id = x.recipient_id;
end
$function$;

-- Subscribers of a newsletter are an audience. Whatever statement moves them: a subscriber who is not active any more
-- is stopped, one who is again is let. Grouped and not joined: a plan that was made for one row would compare each row
-- of a large statement with each.
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
create trigger subscribers_stopped_by_removal after delete on subscribers
  referencing old table as removed
  for each statement execute function ph_stop_removed_subscribers();
