-- concurrently
-- An answer names the Message-ID of a message that a program handed in; mail that we compose has the id of its email
-- there.
drop index concurrently if exists contents_by_message_id;
create index concurrently contents_by_message_id on contents (workspace_id, message_id) where message_id is not null;
drop index concurrently if exists send_requests_of_relay;
create index concurrently send_requests_of_relay on send_requests (workspace_id, content_id) where source = 'relay';
-- Unread and unreadable mail is erased by the sender of its envelope.
drop index concurrently if exists inbound_emails_without_author;
create index concurrently inbound_emails_without_author on inbound_emails (workspace_id, lower(envelope_from))
  where from_email is null;
