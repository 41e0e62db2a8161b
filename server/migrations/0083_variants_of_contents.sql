-- Content of single recipients of a send; with the content of the send, whose id this is, they end together.
alter table contents add column variant_of uuid;
