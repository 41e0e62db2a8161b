-- concurrently
-- Finds the emails that wait for a person who is erased, among all that wait.
drop index concurrently if exists scheduled_emails_by_address;
create index concurrently scheduled_emails_by_address on scheduled_emails using gin (ph_named_addresses(search, body))
  where status = 'scheduled';
