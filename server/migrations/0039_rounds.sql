-- Work that one process of many does once in an hour: when it is next due, and up to which moment it is done.
create table rounds (
  name text primary key,
  next_at timestamptz not null default 'epoch',
  through timestamptz not null default 'epoch'
);
-- blocks: the table has one row
insert into rounds (name, next_at, through) select 'retention', next_at, client_data_through from retention_rounds;
drop table retention_rounds;
-- For processes of the version before, which may run beside this one.
create view retention_rounds as
  select next_at, through as client_data_through from rounds where name = 'retention';
