-- The last check of BIMI, as the API answered it; null: the logo was not checked.
alter table domain_marks add column last_check jsonb;
