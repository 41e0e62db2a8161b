-- Each message of the relay keeps an answer (0088), and each answer locked the row of its workspace against deletion: a
-- twentieth of what PostgreSQL spends on a message. Purges of deleted workspaces remove their answers instead.
alter table idempotency_keys drop constraint idempotency_keys_workspace_id_fkey;
