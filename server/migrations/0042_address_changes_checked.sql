-- Reads the table while others write it.
alter table consents validate constraint consents_action_check;
