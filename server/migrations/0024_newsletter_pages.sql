-- Two settings of the pages. `archive_indexable`: search engines may list the archive and its issues, which is the
-- point of an archive that everybody may read. `ask_name`: the form has a field for the name, as it had until now.
alter table newsletters
  add column archive_indexable boolean not null default true,
  add column ask_name boolean not null default true;
