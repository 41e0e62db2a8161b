-- The id of the request that a send came with: it links an email to the log of requests. Without a default, so that no
-- row is written again; sends of processes of the release before have none.
alter table send_requests add column request_id text;
