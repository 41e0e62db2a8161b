-- When the provider first told that a delivery is delayed. Null for everything before this migration.
alter table emails add column first_delayed_at timestamptz;
