-- What is counted to slow abuse (sign-ins, sign-ups, mail to one address) is counted in one place, whoever counts. Still
-- unlogged: a crash forgets counts of a day at most. A process of the version before refuses sign-ins until it ends.
alter table sign_in_attempts rename to attempt_counts;
alter index sign_in_attempts_pkey rename to attempt_counts_pkey;
alter index sign_in_attempts_age rename to attempt_counts_age;
