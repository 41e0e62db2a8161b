-- People come at the end. In a descending index that is its first page, which is split in halves again and again: it was
-- twice as large as this one (132 MB of a million, 74 MB so), and so was what a page far down the list passes over. An
-- ascending index is read from either end.
create index subscribers_by_time_ascending on subscribers (workspace_id, newsletter_id, created_at, id);
drop index subscribers_by_time;
alter index subscribers_by_time_ascending rename to subscribers_by_time;

create index subscribers_by_status_ascending on subscribers (workspace_id, newsletter_id, status, created_at, id);
drop index subscribers_by_status;
alter index subscribers_by_status_ascending rename to subscribers_by_status;

create index subscribers_by_source_ascending on subscribers (workspace_id, newsletter_id, source, created_at, id)
  where source is not null;
drop index subscribers_by_source;
alter index subscribers_by_source_ascending rename to subscribers_by_source;
