-- As 0135: each message with its bytes. Its parts keep their key, and go with their message.
alter table captured_emails drop constraint captured_emails_workspace_id_fkey;

-- The workspace, which stays until the commit, so that its purge sees a row that is added with it. Null: it is gone.
create function ph_held_workspace(p_workspace uuid) returns uuid
  language sql
  as 'select w.id from workspaces w where w.id = p_workspace for key share';
