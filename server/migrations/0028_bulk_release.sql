-- What freezing and folding need to know: whether the emails of a bulk send are kept only, and which changes of the
-- statistics are not in a sum yet. Without the latter a fold would read the sum of every send there ever was.
alter table send_requests add column sandbox boolean not null default false;
alter table send_counts add column folded boolean not null default false;
create index send_counts_unfolded on send_counts (workspace_id, send_id) where not folded;
