-- Which events of the caller's own (POST /v1/events) a contact has had, for the conditions of segments: a row for each
-- name, however often it happened. At most 100 names for each contact, the newest; they end with the contact.
create table contact_events (
  workspace_id uuid not null,
  contact_id uuid not null,
  name text not null,
  count bigint not null,
  -- The newest 50, the newest first: what conditions on a span of time look at.
  times timestamptz[] not null,
  primary key (workspace_id, contact_id, name),
  foreign key (workspace_id, contact_id) references contacts (workspace_id, id) on delete cascade
);
