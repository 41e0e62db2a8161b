-- When mail is next looked at for rows that are older than their retention, so that one process of many does it in an
-- hour, and up to which moment addresses of clients were removed from opens and clicks.
create table retention_rounds (
  only_row boolean primary key default true check (only_row),
  next_at timestamptz not null default 'epoch',
  client_data_through timestamptz not null default 'epoch'
);
insert into retention_rounds default values;
