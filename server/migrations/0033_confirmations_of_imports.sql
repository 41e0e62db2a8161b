-- The confirmation emails of an import go out slowly, in the order of its rows: after whom they go on.
alter table imports add column confirmations_after uuid;
