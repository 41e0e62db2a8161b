-- concurrently
-- The recipients of a send who left by its link: few, and listed by the count that says how many.
drop index concurrently if exists emails_unsubscribed;
create index concurrently emails_unsubscribed on emails (workspace_id, send_id, id) where unsubscribed_at is not null;
