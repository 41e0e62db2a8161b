-- The wall time that was asked for, and the rules of time zones by which scheduled_for was computed from it (decision
-- 0153): {"shown": "2027-03-28T09:00:00", "rules": "2026a"}. Null: an instant was asked for, or nobody knows any more.
-- blocks: three tables at once, each for the moment in which a column without a default is added. The runner lets go of
-- all of them when it cannot have the next one within two seconds, and tries again.
alter table scheduled_emails add column wall_time jsonb;
alter table issues add column wall_time jsonb;
alter table broadcasts add column wall_time jsonb;
