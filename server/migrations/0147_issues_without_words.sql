-- concurrently
-- The sent issues whose words are not noted yet: mostly none, and looked for every few seconds.
drop index concurrently if exists issues_without_words;
create index concurrently issues_without_words on issues (id) where status = 'sent' and not in_search;
