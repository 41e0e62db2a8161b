-- A broadcast that leaves at a local time of each recipient (decision 0168). A part has the recipients for whom this
-- time is one instant.
-- blocks: three tables, each for the moment in which a column without a value or with a constant one is added.
alter table broadcasts add column recipient_timezone boolean not null default false, -- each recipient gets it at local_time
  add column starts_at timestamptz; -- when the worker looks at one of these the next time; null: at scheduled_for
-- The part of a recipient, from 0 on. Null: the broadcast has no parts.
alter table broadcast_recipients add column part smallint;
-- The parts of a bulk send in the order of their times: [{"part": 0, "at": "2027-03-28T07:00:00.000Z",
-- "recipients": 12, "frozen": true, "last": the highest id of their emails}]. Null: all emails may leave at once.
alter table send_requests add column parts jsonb;
