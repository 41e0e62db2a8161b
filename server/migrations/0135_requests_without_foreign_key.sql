-- A workspace was deleted by one statement, with all the rows that hang on it by a foreign key. There can be millions
-- of logged requests: the statement ran out of its 29 seconds, each time. The purge of deleted workspaces removes them
-- now, page by page. The statement that adds requests holds their workspace against deletion, as the key did.
alter table api_requests drop constraint api_requests_workspace_id_fkey;
