-- Processes of the version before ask for the consents of every newsletter that was deleted.
create or replace function ph_delete_consents(p_workspace uuid, p_list uuid, p_limit integer)
  returns integer language plpgsql as $$
declare
  removed integer;
begin
  if exists (
    select from deleted_lists where workspace_id = p_workspace and id = p_list and deleted_at > '-infinity'
  ) then
    return 0;
  end if;
  perform set_config('posthorn.gone_list', p_list::text, true);
  with page as materialized (
    select c.workspace_id, c.id from consents c
     where c.workspace_id = p_workspace and c.newsletter_id = p_list
     limit p_limit for update skip locked
  )
  delete from consents c using page p where c.workspace_id = p.workspace_id and c.id = p.id;
  get diagnostics removed = row_count;
  perform set_config('posthorn.gone_list', '', true);
  return removed;
end
$$;
