-- concurrently
-- The owners of a workspace are few of its members: the last one is looked for at every change of a role.
drop index concurrently if exists members_by_role;
create index concurrently members_by_role on members (workspace_id, role, user_id);
