-- concurrently
-- The refusals whose owners are to be told: mostly none, and looked for twice a second.
drop index concurrently if exists policy_refusals_to_tell;
create index concurrently policy_refusals_to_tell on policy_refusals (workspace_id, sender_domain, recipient_domain) where to_tell;
