-- concurrently
-- Most invitations of an old workspace were accepted; the list shows the others, the newest first.
drop index concurrently if exists invites_pending;
create index concurrently invites_pending on invites (workspace_id, id) where accepted_at is null and revoked_at is null;
