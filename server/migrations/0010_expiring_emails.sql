-- Emails whose time runs out while they wait are settled without walking the queue. Few emails expire: the index is small.
create index emails_expiring on emails (expires_at) where expires_at is not null and status in ('queued', 'deferred');
