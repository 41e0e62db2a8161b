-- The archive and the feeds of a newsletter: what was sent, newest first, without reading what is being written.
create index issues_sent on issues (workspace_id, newsletter_id, sent_at desc, id desc) where status = 'sent';
