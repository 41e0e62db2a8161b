-- As 0135, for the events of providers: three for each email, for 30 days.
alter table provider_events drop constraint provider_events_workspace_id_fkey;
