-- A content may be a message that somebody else composed, which leaves byte for byte (decision 0050).
alter table contents
  -- The message. Empty: it was erased. null: we compose the message from the other columns.
  add column mime bytea,
  -- Its Message-ID. Messages that we compose have one that is made from the id of their email.
  add column message_id text,
  -- Read whole, and mostly base64: kept out of line and uncompressed, as the files of attachments are.
  alter column mime set storage external;
