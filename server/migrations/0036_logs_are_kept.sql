-- Entries of the audit log and of the security log can be removed only when they are older than their retention, by
-- the functions below, or with their workspace.
create function ph_refuse_deletion() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('posthorn.old_logs', true), '') = 'leave'
     or not exists (select from workspaces w where w.id = old.workspace_id) then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end
$$;
create trigger audit_entries_kept before delete on audit_entries for each row execute function ph_refuse_deletion();
create trigger security_log_kept before delete on security_log for each row execute function ph_refuse_deletion();

-- Removes up to p_limit entries of each workspace that are older than p_days, at least 30. The setting is for the time
-- of the statement only.
create function ph_forget_audit_entries(p_days integer, p_limit integer) returns integer language plpgsql as $$
declare
  removed integer;
begin
  perform set_config('posthorn.old_logs', 'leave', true);
  delete from audit_entries a
   using workspaces w cross join lateral (
     select o.seq from audit_entries o
      where o.workspace_id = w.id and o.at < now() - make_interval(days => greatest(p_days, 30))
      order by o.at, o.seq limit p_limit) as old
   where a.workspace_id = w.id and a.seq = old.seq;
  get diagnostics removed = row_count;
  perform set_config('posthorn.old_logs', '', true);
  return removed;
end
$$;

-- The same for the security log.
create function ph_forget_security_log(p_days integer, p_limit integer) returns integer language plpgsql as $$
declare
  removed integer;
begin
  perform set_config('posthorn.old_logs', 'leave', true);
  delete from security_log a
   using workspaces w cross join lateral (
     select o.id from security_log o
      where o.workspace_id = w.id and o.at < now() - make_interval(days => greatest(p_days, 30))
      order by o.at, o.id limit p_limit) as old
   where a.workspace_id = w.id and a.id = old.id;
  get diagnostics removed = row_count;
  perform set_config('posthorn.old_logs', '', true);
  return removed;
end
$$;
