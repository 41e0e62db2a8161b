-- As for emails: the dead entries of what is due do not grow with the deliveries that are kept.
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000);
