-- Whom an issue did not reach is asked for while they are few among a million whom it did: they were found by reading all
-- of them (1.1 s, 21 November 2026). States that an email passes through on its way are left out, so that sending writes
-- nothing here.
create index emails_not_arrived on emails (workspace_id, send_id, status, id)
  where lane = 2
    and status in ('failed', 'suppressed', 'cancelled', 'unconfirmed', 'bounced', 'complained', 'delivery_delayed');
