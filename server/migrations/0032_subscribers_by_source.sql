-- A list of a million is also asked for those of one source: without this it was read to its end when they are few
-- (289 ms for none of a million, 21 November 2026).
create index subscribers_by_source on subscribers (workspace_id, newsletter_id, source, created_at desc, id desc)
  where source is not null;
