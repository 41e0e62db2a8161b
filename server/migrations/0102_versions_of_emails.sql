-- The version of the content that an email was claimed with.
alter table emails add column content_version smallint not null default 1;
