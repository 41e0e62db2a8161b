-- Why a bulk send is to be paused: written by the round of events that found it unhealthy, and empty again once it is
-- paused. A process that dies in between leaves the row to the next look of any process.
alter table bulk_health add column pause_reason text;
