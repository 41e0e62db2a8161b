-- Few suppressions have an end. The sweep finds those that have run out without reading all the others.
create index suppressions_that_expire on suppressions (expires_at) where expires_at is not null;
