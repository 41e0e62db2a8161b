-- blocks: the table has one row
insert into rounds (name, next_at) select 'captured mail retention', next_at from captured_rounds;
drop table captured_rounds;
-- For processes of the version before, as for retention_rounds.
create view captured_rounds as select next_at from rounds where name = 'captured mail retention';
