-- Sources as they are listed in server/src/mail/email-sources.ts, and what a send was made for and from. The same
-- for all emails of a send, so it stands with the send and costs their rows nothing.

alter domain send_source drop constraint send_source_check;
update send_requests set source = case
    when source = 'smtp' then 'relay'
    when source = 'dashboard' then 'api'
    when bulk_state is not null then 'issue'
    else 'confirmation' end
 where source in ('smtp', 'dashboard', 'newsletter');
alter domain send_source add constraint send_source_check check (value in ('api', 'batch', 'resend', 'scheduled',
  'relay', 'automation', 'inbound_reply', 'issue', 'broadcast', 'confirmation', 'test', 'system'));

alter table send_requests
  add column template_id uuid,
  add column broadcast_id uuid,
  add column scheduled_id uuid,
  add column automation_run_id uuid;

create index send_requests_of_broadcast on send_requests (workspace_id, broadcast_id) where broadcast_id is not null;
