-- A queue whose every row dies in its index of what waits: vacuumed by their number, at the speed of the other queues.
alter table provider_events set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_cost_delay = 1);
