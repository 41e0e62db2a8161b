-- A broadcast may follow another one, or an issue: an address gets one follow-up of each root (decision 0156).
-- And it may have to be done by a time.
alter table broadcasts add column follow_up_of uuid, add column finish_by timestamptz;
