-- Pages by address of those in one state, and pages far down a list, pass over entries of this index alone when it knows
-- the state too.
create unique index subscribers_once_with_status on subscribers (workspace_id, newsletter_id, email) include (status);
drop index subscribers_once;
alter index subscribers_once_with_status rename to subscribers_once;

-- Two letters make no trigram. With every character of ASCII that can follow they do, so a search for two is a search for
-- some forty trigrams; the few texts in which something else can follow are looked into.
create index subscribers_beyond_ascii on subscribers (workspace_id, newsletter_id)
  where octet_length(email || E'\n' || lower(coalesce(name, ''))) > length(email || E'\n' || lower(coalesce(name, '')));
