-- API keys, the limits of keys and domains, and the answers kept for Idempotency-Key.

create table api_keys (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  name text not null,
  -- The first 12 characters as shown in lists; `hash` is SHA-256 of the whole key, which is never stored.
  prefix text not null,
  last4 text not null,
  hash bytea not null,
  scopes text[] not null,
  domain_ids uuid[] not null default '{}',
  newsletter_ids uuid[] not null default '{}',
  allowed_ips text[] not null default '{}',
  mode text not null check (mode in ('live', 'test')),
  -- 0 means unlimited.
  limit_hourly integer not null check (limit_hourly >= 0),
  limit_daily integer not null check (limit_daily >= 0),
  limit_monthly integer not null check (limit_monthly >= 0),
  enabled boolean not null default true,
  created_by uuid,
  last_used_at timestamptz,
  last_used_ip text,
  expires_at timestamptz,
  revoked_at timestamptz,
  rotated_from uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Global: a request starts with a key and no workspace. `lookup` is the beginning of the key's hash.
create table api_key_lookups (
  lookup text not null,
  workspace_id uuid not null,
  api_key_id uuid not null,
  primary key (lookup, workspace_id, api_key_id),
  foreign key (workspace_id, api_key_id) references api_keys (workspace_id, id) on delete cascade
);

-- How much a key or a domain has used of each window (UTC hour, day, calendar month). The limits of keys and the caps
-- of domains are counted in one table by one function. Sends that come together take their places together, so that
-- the row of a key is not held over one commit for each.
create table usage_windows (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- An API key or a domain.
  subject_id uuid not null,
  tier text not null check (tier in ('hourly', 'daily', 'monthly')),
  window_start timestamptz not null,
  used integer not null,
  primary key (workspace_id, subject_id, tier, window_start)
  -- A busy key changes its rows hundreds of times a second: with room on their page they stay in place.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Takes places for many sends, in their order, each in all of its windows or in none. p_takes lists what each send
-- takes, those of one send together; `refused_by` is the first of them (from 0) that has no room, `used` what the
-- windows of an admitted send count with it. Rows are locked in the order of their key, so that two never deadlock.
create function ph_take_usage(p_takes jsonb) returns table (place integer, refused_by integer, used integer[])
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $function$
#variable_conflict use_column
declare
  places integer[];
  windows integer[];
  caps integer[];
  counts integer[];
  totals integer[];
  first integer := 1;
  final integer;
begin
  insert into usage_windows (workspace_id, subject_id, tier, window_start, used)
  select distinct t.workspace_id, t.subject_id, t.tier, t.window_start, 0
    from jsonb_to_recordset(p_takes)
      as t (workspace_id uuid, subject_id uuid, tier text, window_start timestamptz, cap integer, count integer)
   where t.count <= t.cap
   order by 1, 2, 3, 4
  on conflict do nothing;

  with take as materialized (
    select t.*, dense_rank() over (order by t.workspace_id, t.subject_id, t.tier, t.window_start)::integer as number
      from rows from (jsonb_to_recordset(p_takes) as (place integer, workspace_id uuid, subject_id uuid, tier text,
        window_start timestamptz, cap integer, count integer))
      with ordinality as t (place, workspace_id, subject_id, tier, window_start, cap, count, nth)
  ), locked as materialized (
    select d.number, u.used
      from (select distinct number, workspace_id, subject_id, tier, window_start from take) d
      join usage_windows u on u.workspace_id = d.workspace_id and u.subject_id = d.subject_id and u.tier = d.tier
                          and u.window_start = d.window_start
     order by d.number
       for update of u
  )
  select array_agg(take.place order by take.nth), array_agg(take.number order by take.nth),
         array_agg(take.cap order by take.nth), array_agg(take.count order by take.nth),
         (select array_agg(coalesce(locked.used, 0) order by n)
            from generate_series(1, max(take.number)) n left join locked on locked.number = n)
    into places, windows, caps, counts, totals
    from take;

  while first <= cardinality(places) loop
    place := places[first];
    refused_by := null;
    used := '{}';
    final := first;
    while final < cardinality(places) and places[final + 1] = place loop
      final := final + 1;
    end loop;
    for i in first..final loop
      if totals[windows[i]] + counts[i] > caps[i] then
        refused_by := i - first;
        exit;
      end if;
    end loop;
    if refused_by is null then
      for i in first..final loop
        totals[windows[i]] := totals[windows[i]] + counts[i];
        used := used || totals[windows[i]];
      end loop;
    end if;
    return next;
    first := final + 1;
  end loop;

  update usage_windows u set used = totals[d.number]
    from (select distinct t.workspace_id, t.subject_id, t.tier, t.window_start,
                 dense_rank() over (order by t.workspace_id, t.subject_id, t.tier, t.window_start)::integer as number
            from jsonb_to_recordset(p_takes)
              as t (workspace_id uuid, subject_id uuid, tier text, window_start timestamptz)) d
   where u.workspace_id = d.workspace_id and u.subject_id = d.subject_id and u.tier = d.tier
     and u.window_start = d.window_start and u.used <> totals[d.number];
end
$function$;

create table idempotency_keys (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- Method and path as requested, then the caller's key: one key may be used on two routes.
  route text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint,
  -- Encrypted: an answer may hold a secret that is shown once.
  response bytea,
  created_at timestamptz not null default now(),
  primary key (workspace_id, route, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
