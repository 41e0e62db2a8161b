-- The words of sent issues, by which readers find them in the archive (decision 0254). They are made behind the
-- sending and for issues that were sent before: `in_search` says that it is done. Each word begins with the end of the
-- id of its newsletter, so that a search reads the entries of one newsletter and not those of all.
alter table issues add column in_search boolean not null default false;

create table issue_words (
  workspace_id uuid not null,
  issue_id uuid not null,
  newsletter_id uuid not null,
  sent_at timestamp with time zone not null,
  words tsvector not null,
  primary key (workspace_id, issue_id),
  foreign key (workspace_id, issue_id) references issues (workspace_id, id) on delete cascade
) with (toast_tuple_target = 128);
-- Out of the row: a search that finds 10,000 issues reads their rows, and no words.
alter table issue_words alter column words set storage external;
-- Few are written, and each search would read what waits to be put into the index.
create index issue_words_by_word on issue_words using gin (words) with (fastupdate = off);
