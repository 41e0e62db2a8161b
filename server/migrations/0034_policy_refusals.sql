-- Emails that a receiving domain refused because of their sender, of one day: one row for a pair of domains, begun anew
-- by the first refusal of another day. `delivered` counts from the first refusal of the day on.
create table policy_refusals (
  workspace_id uuid not null,
  sender_domain text not null,
  recipient_domain text not null,
  day date not null,
  refused integer not null,
  delivered integer not null,
  words text not null,
  told_on date,
  primary key (workspace_id, sender_domain, recipient_domain)
) with (fillfactor = 70);
