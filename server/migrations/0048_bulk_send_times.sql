-- When the first emails of a bulk send went to the queue, and when nothing of it was pending any more. Null for older
-- sends: their release and their last event are near these times.
alter table send_requests add column started_at timestamptz;
alter table send_requests add column settled_at timestamptz;
