-- concurrently
-- The bulk sends that may go on by themselves: a round looks at each of them.
create index concurrently send_requests_paused on send_requests (workspace_id, id)
  where paused_at is not null and bulk_state in ('releasing', 'released');
