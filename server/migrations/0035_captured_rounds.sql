-- When captured mail is next looked at for what is too old or too much, so that one process of many does it in an hour.
create table captured_rounds (
  only_row boolean primary key default true check (only_row),
  next_at timestamptz not null default 'epoch'
);
insert into captured_rounds default values;
