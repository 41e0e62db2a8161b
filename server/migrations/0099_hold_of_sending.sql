-- Nothing leaves while held_since is set: the database was restored or copied, and nobody has confirmed
-- (decision 0144).
alter table send_pace
  add column held_since timestamptz,
  add column hold_reason text;
