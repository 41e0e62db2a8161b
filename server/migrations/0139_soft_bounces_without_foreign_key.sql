-- As 0135: one row for each address that bounced temporarily.
alter table soft_bounces drop constraint soft_bounces_workspace_id_fkey;
