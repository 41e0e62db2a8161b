-- A send that takes no place in a window is not refused because the window is full. A cap that is lowered below the
-- count of its window leaves it more than full; a send to addresses that are all suppressed wants no place there, and
-- was refused. Otherwise the function is that of 0018.
create or replace function ph_take_usage(p_windows jsonb, p_takes integer[][], out counted integer[], out refused_places integer[],
  out refused_by integer[])
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $function$
declare
  win jsonb;
  last integer := jsonb_array_length(p_windows) - 1;
  total integer;
  totals integer[];
  first integer := 1;
  final integer;
  has_room boolean;
begin
  -- Nearly always there is room for all of them: one statement for each window says so.
  for i in 0..last loop
    win := p_windows -> i;
    update usage_windows u set used = u.used + (win ->> 'wanted')::integer
     where u.workspace_id = (win ->> 'workspace_id')::uuid and u.subject_id = (win ->> 'subject_id')::uuid
       and u.tier = win ->> 'tier' and u.window_start = (win ->> 'window_start')::timestamptz
       and u.used <= (win ->> 'cap')::integer - (win ->> 'wanted')::integer
    returning u.used - (win ->> 'wanted')::integer into total;
    exit when not found;
    counted[i] := total;
  end loop;
  if cardinality(counted) > last then
    return;
  end if;

  -- A window is new, or has no room for all: its row is locked, and what the windows before it counted is known.
  for i in coalesce(cardinality(counted), 0)..last loop
    win := p_windows -> i;
    insert into usage_windows (workspace_id, subject_id, tier, window_start, used)
    values ((win ->> 'workspace_id')::uuid, (win ->> 'subject_id')::uuid, win ->> 'tier',
      (win ->> 'window_start')::timestamptz, 0)
    on conflict do nothing;
    select u.used into total from usage_windows u
     where u.workspace_id = (win ->> 'workspace_id')::uuid and u.subject_id = (win ->> 'subject_id')::uuid
       and u.tier = win ->> 'tier' and u.window_start = (win ->> 'window_start')::timestamptz
       for update;
    counted[i] := total;
  end loop;

  totals := counted;
  while first <= array_length(p_takes, 1) loop
    final := first;
    while final < array_length(p_takes, 1) and p_takes[final + 1][1] = p_takes[first][1] loop
      final := final + 1;
    end loop;
    has_room := true;
    for i in first..final loop
      if p_takes[i][4] > 0 and totals[p_takes[i][2]] > p_takes[i][3] - p_takes[i][4] then
        refused_places := refused_places || p_takes[i][1];
        refused_by := refused_by || i - first;
        has_room := false;
        exit;
      end if;
    end loop;
    if has_room then
      for i in first..final loop
        totals[p_takes[i][2]] := totals[p_takes[i][2]] + p_takes[i][4];
      end loop;
    end if;
    first := final + 1;
  end loop;

  for i in 0..last loop
    win := p_windows -> i;
    update usage_windows u set used = totals[i]
     where u.workspace_id = (win ->> 'workspace_id')::uuid and u.subject_id = (win ->> 'subject_id')::uuid
       and u.tier = win ->> 'tier' and u.window_start = (win ->> 'window_start')::timestamptz
       and u.used <> totals[i];
  end loop;
end
$function$;
