-- The dead entries of the queue's indexes go with a vacuum. A share of the table lets more of them gather the longer
-- the record is: 2 % of five million emails are 100,000.
alter table emails set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000);
