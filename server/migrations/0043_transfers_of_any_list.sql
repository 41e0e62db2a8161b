-- Imports and exports belong to a list of any kind: newsletters today, lists of contacts and suppressions later. The
-- feature that owns the list removes them with it, in the same transaction, so no foreign key leads to one kind of list.
alter table imports drop constraint imports_workspace_id_newsletter_id_fkey;
alter table imports rename column newsletter_id to target_id;
alter table imports add column target_type text not null default 'newsletter';
alter table imports alter column target_type drop default;
alter table imports add foreign key (workspace_id) references workspaces (id) on delete cascade;
drop index imports_of_newsletter;
create index imports_of_target on imports (workspace_id, target_id, id desc);

alter table exports drop constraint exports_workspace_id_newsletter_id_fkey;
alter table exports rename column newsletter_id to target_id;
alter table exports add column target_type text not null default 'newsletter';
alter table exports alter column target_type drop default;
alter table exports add foreign key (workspace_id) references workspaces (id) on delete cascade;
