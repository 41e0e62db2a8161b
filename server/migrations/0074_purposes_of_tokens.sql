-- The check of 0073, without a lock that stops sign-ins.
alter table user_tokens validate constraint user_tokens_purpose_check;
