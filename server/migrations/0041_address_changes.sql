-- The address of a subscriber can be changed, and a record of consent tells of it. Rows of before hold the older words,
-- which the new list contains: the next file checks that.
alter table consents drop constraint consents_action_check;
alter table consents add constraint consents_action_check check (action in
  ('signed_up', 'confirmation_sent', 'confirmed', 'unsubscribed', 'undone', 'imported', 'added', 'address_changed',
   'erased')) not valid;
