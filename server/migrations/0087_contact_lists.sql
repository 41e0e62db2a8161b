-- Lists of contacts. With a deleted workspace they go behind its contacts (contact_purges).
create table contact_lists (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  -- Members who have not left it. Kept by ph_count_list_contacts.
  contact_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Ends with the list or the contact. Members who left stay, so that nobody adds them again.
create table contact_list_members (
  workspace_id uuid not null,
  list_id uuid not null,
  contact_id uuid not null,
  unsubscribed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, list_id, contact_id),
  foreign key (workspace_id, list_id) references contact_lists (workspace_id, id) on delete cascade,
  foreign key (workspace_id, contact_id) references contacts (workspace_id, id) on delete cascade
);

-- The lists of a contact.
create index contact_list_members_contact on contact_list_members (workspace_id, contact_id);

-- Counts the members of lists in the transaction that changes them, once per statement.
create function ph_count_list_contacts() returns trigger
language plpgsql as $function$
begin
  if tg_op = 'INSERT' then
    update contact_lists l set contact_count = l.contact_count + n.many
      from (select workspace_id, list_id, count(*) as many from added
             where unsubscribed_at is null group by workspace_id, list_id) n
     where l.workspace_id = n.workspace_id and l.id = n.list_id;
  elsif tg_op = 'DELETE' then
    update contact_lists l set contact_count = l.contact_count - n.many
      from (select workspace_id, list_id, count(*) as many from removed
             where unsubscribed_at is null group by workspace_id, list_id) n
     where l.workspace_id = n.workspace_id and l.id = n.list_id;
  else
    update contact_lists l set contact_count = l.contact_count + n.many
      from (select workspace_id, list_id, sum(change) as many from (
              select workspace_id, list_id, 1 as change from added where unsubscribed_at is null
              union all
              select workspace_id, list_id, -1 from removed where unsubscribed_at is null) c
             group by workspace_id, list_id) n
     where n.many <> 0 and l.workspace_id = n.workspace_id and l.id = n.list_id;
  end if;
  return null;
end
$function$;

create trigger contact_list_members_added after insert on contact_list_members
  referencing new table as added for each statement execute function ph_count_list_contacts();
create trigger contact_list_members_removed after delete on contact_list_members
  referencing old table as removed for each statement execute function ph_count_list_contacts();
create trigger contact_list_members_moved after update on contact_list_members
  referencing old table as removed new table as added for each statement execute function ph_count_list_contacts();
