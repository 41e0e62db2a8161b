-- The owners are to be told of these refusals: written by the round of events that counted them, and taken back by the
-- transaction that mails. A process that dies in between leaves the row to the next look of any process.
alter table policy_refusals add column to_tell boolean not null default false;
