-- When nothing of an issue is pending any more, and whether that is still to come and to be told. Issues that were sent
-- before keep null: nobody is told of what was over long ago.
alter table issues add column finished_at timestamptz;
alter table issues add column awaits_finish boolean not null default false;
