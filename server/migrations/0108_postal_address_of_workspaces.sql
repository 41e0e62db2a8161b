-- For the footer of mail to contacts. Newsletters have one of their own.
alter table workspaces add column postal_address text;
