-- Mail that is written once and goes to contacts.
create domain broadcast_status as text
  check (value in ('draft', 'scheduled', 'sending', 'sent', 'cancelled', 'failed'));

create table broadcasts (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  name text not null,
  status broadcast_status not null default 'draft',
  -- As it was given: a mailbox, with or without a name.
  sender text,
  reply_to jsonb not null default '[]',
  subject text,
  preheader text,
  html text,
  text text,
  template_id uuid,
  -- The version of the template that it was sent with.
  template_version integer,
  variables jsonb not null default '{}',
  -- The variables that it is sent with: those of the broadcast, and the fallbacks of its template.
  sent_variables jsonb,
  audience jsonb not null,
  track_opens boolean,
  track_clicks boolean,
  tags jsonb not null default '[]',
  scheduled_for timestamptz,
  timezone text,
  schedule_note text,
  started_at timestamptz,
  sent_at timestamptz,
  finished_at timestamptz,
  cancelled_at timestamptz,
  failed_at timestamptz,
  error text,
  error_code text,
  sent_by jsonb,
  send_id uuid,
  total_recipients integer,
  -- Contacts of the audience who had left before their page was written.
  skipped_unsubscribed integer not null default 0,
  pages_completed integer not null default 0,
  -- It was let go, and something of it may still be pending.
  awaits_finish boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index broadcasts_due on broadcasts (scheduled_for) where status = 'scheduled';
create index broadcasts_awaiting_finish on broadcasts (workspace_id, id) where awaits_finish;
create index broadcasts_of_send on broadcasts (workspace_id, send_id) where send_id is not null;

-- The audience of a broadcast as it was when it was sent: written once, and gone when every email is written.
create table broadcast_recipients (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  -- The identity of the address.
  recipient text not null,
  contact_id uuid not null,
  primary key (workspace_id, broadcast_id, recipient)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Whether a contact has left since an audience was chosen: is gone, wants no mail at all, or has left every list by
-- which they are in it. `p_named`: they were named themselves.
create function ph_contact_has_left(p_workspace uuid, p_contact uuid, p_named boolean, p_lists uuid[]) returns boolean
language sql stable as $function$
  select coalesce((
    select c.unsubscribed_at is not null
        or (not p_named
            and exists (select from contact_list_members m
                         where m.workspace_id = p_workspace and m.contact_id = p_contact and m.list_id = any (p_lists)
                           and m.unsubscribed_at is not null)
            and not exists (select from contact_list_members m
                             where m.workspace_id = p_workspace and m.contact_id = p_contact
                               and m.list_id = any (p_lists) and m.unsubscribed_at is null))
      from contacts c where c.workspace_id = p_workspace and c.id = p_contact), true)
$function$;

-- Tells the engine which of these contacts must get nothing more of the broadcasts under way, and who may again.
create function ph_stop_contacts(p_workspaces uuid[], p_contacts uuid[]) returns void
language plpgsql as $function$
declare
  moved record;
begin
  select array_agg(m.workspace_id) filter (where m.has_left) as left_workspaces,
         array_agg(m.broadcast_id) filter (where m.has_left) as left_broadcasts,
         array_agg(m.contact_id) filter (where m.has_left) as left_contacts,
         array_agg(m.workspace_id) filter (where not m.has_left) as back_workspaces,
         array_agg(m.broadcast_id) filter (where not m.has_left) as back_broadcasts,
         array_agg(m.contact_id) filter (where not m.has_left) as back_contacts
    into moved
    from (select b.workspace_id, b.id as broadcast_id, x.contact_id,
                 ph_contact_has_left(b.workspace_id, x.contact_id, b.audience -> 'contactIds' ? x.contact_id::text,
                   array(select jsonb_array_elements_text(b.audience -> 'listIds')::uuid)) as has_left
            from unnest(p_workspaces, p_contacts) as x (workspace_id, contact_id)
            join broadcasts b on b.workspace_id = x.workspace_id and b.awaits_finish
           order by x.contact_id) m;
  if moved.left_contacts is not null then
    perform ph_stop_recipients(moved.left_workspaces, moved.left_broadcasts, moved.left_contacts);
  end if;
  if moved.back_contacts is not null then
    perform ph_let_recipients(moved.back_workspaces, moved.back_broadcasts, moved.back_contacts);
  end if;
end
$function$;

-- A contact who leaves, comes back or is deleted. Once per statement, and nothing to do for most.
create function ph_stop_moved_contacts() returns trigger
language plpgsql as $function$
declare
  moved record;
begin
  if tg_op = 'DELETE' then
    select array_agg(o.workspace_id) as workspaces, array_agg(o.id) as contacts into moved from before_change o;
  else
    select array_agg(n.workspace_id) as workspaces, array_agg(n.id) as contacts into moved
      from after_change n join before_change o on o.workspace_id = n.workspace_id and o.id = n.id
     where (o.unsubscribed_at is null) <> (n.unsubscribed_at is null);
  end if;
  if moved.contacts is not null then perform ph_stop_contacts(moved.workspaces, moved.contacts); end if;
  return null;
end
$function$;

create trigger contacts_stopped after update on contacts
  referencing old table as before_change new table as after_change for each statement execute function ph_stop_moved_contacts();
create trigger contacts_stopped_by_removal after delete on contacts
  referencing old table as before_change for each statement execute function ph_stop_moved_contacts();

-- A contact who leaves a list, or is on it again.
create function ph_stop_moved_members() returns trigger
language plpgsql as $function$
declare
  moved record;
begin
  select array_agg(distinct_one.workspace_id) as workspaces, array_agg(distinct_one.contact_id) as contacts into moved
    from (select distinct n.workspace_id, n.contact_id from after_change n
           where tg_op = 'UPDATE' or n.unsubscribed_at is not null) distinct_one;
  if moved.contacts is not null then perform ph_stop_contacts(moved.workspaces, moved.contacts); end if;
  return null;
end
$function$;

create trigger contact_list_members_stopped after update on contact_list_members
  referencing old table as before_change new table as after_change for each statement execute function ph_stop_moved_members();
create trigger contact_list_members_stopped_at_once after insert on contact_list_members
  referencing new table as after_change for each statement execute function ph_stop_moved_members();
