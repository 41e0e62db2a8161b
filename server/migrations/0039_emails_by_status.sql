-- Lists of emails are asked for those in one state, of a send, of a newsletter or of all: the few among millions were
-- found by reading the millions (0.7 to 4 s, 21 November 2026). The ids of a send lie together, so one index serves all
-- three. What is frozen or in a worker's hands is left out: freezing writes nothing here, and both have indexes already.
-- 13 s for 5,000,000 emails.
create index emails_by_status on emails (workspace_id, status, id) include (send_id)
  where status not in ('pending', 'sending');
drop index emails_not_arrived;

-- Who opened and who clicked. Neither index is written before somebody does: by the first open of an email, and by clicks.
create index emails_opened on emails (workspace_id, send_id, id) where first_opened_at is not null;
create index emails_clicked on emails (workspace_id, send_id, id) where click_count > 0;
