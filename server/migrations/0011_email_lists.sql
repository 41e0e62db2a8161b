-- Two short lists beside the long ones, for reading only; neither costs an ordinary send anything.

-- Mail of the system itself is left out of what most callers may list: a look at a handful of rows, instead of the
-- request of every email.
create index send_requests_of_system on send_requests (workspace_id, id) where source = 'system';

-- "to" finds private copies by their recipient; the addresses of the few grouped messages are looked into.
create index emails_grouped on emails (workspace_id, id) where grouped is not null;
