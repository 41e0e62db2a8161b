-- Whether somebody left by following a link and has not shown since that a person meant it: a scanner follows links too.
alter table subscribers add column unsubscribed_by_visit boolean not null default false;
