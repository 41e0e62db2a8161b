-- The links of a bulk send whose clicks are counted, in the order in which they appear in its content: a list of
-- addresses as they stand there, each once. Stored when the send is opened, because the content ends with retention.
create table send_links (
  workspace_id uuid not null,
  send_id uuid not null,
  links jsonb not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, send_id)
);

-- Clicks by link. A tally: rows are changes, a service folds them, and a read adds them up. So no click of a link that
-- everybody follows waits for another one.
create table link_counts (
  workspace_id uuid not null,
  id uuid not null default ph_uuidv7(),
  send_id uuid not null,
  -- The place in `links`, from 1. 0: an address that is none of them, such as one that a template made.
  link smallint not null,
  clicks integer not null default 0,
  -- Emails in which a person followed it; and the same of machines.
  clicked integer not null default 0,
  clicks_machine integer not null default 0,
  clicked_machine integer not null default 0,
  folded boolean not null default false,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);
create index link_counts_of_send on link_counts (workspace_id, send_id);
create index link_counts_unfolded on link_counts (workspace_id, send_id, link) where not folded;
