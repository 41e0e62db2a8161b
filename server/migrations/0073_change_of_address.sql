-- A person changes the address of their account by a link to the new one, which is kept with its token.
alter table user_tokens
  add column new_email text,
  drop constraint user_tokens_purpose_check,
  add constraint user_tokens_purpose_check check (purpose in ('reset_password', 'verify_email', 'change_email')) not valid;
