-- concurrently
-- The health of old bulk sends, by their ids, which begin with the time: once an hour it is looked for, mostly in vain.
drop index concurrently if exists bulk_health_age;
create index concurrently bulk_health_age on bulk_health (send_id);
