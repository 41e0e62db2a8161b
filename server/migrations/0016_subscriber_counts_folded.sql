-- Marks the rows that are sums, as in send_counts, so that one machine folds both. There is one such row for each
-- newsletter and few others, so the fold needs no index to find the rest: it reads less than when it counted the rows
-- of every newsletter.
alter table subscriber_counts add column folded boolean not null default false;
