-- Sends that are known again by a key, with those that come at the same time.

-- Takes the lock of each key for the length of the transaction, and looks for answers that were kept under them.
-- p_keys: place, workspace_id, route, key, and what `ph_keep_answers` needs. `known_places` are those of them that must
-- not be done: one with a response was done before, and one without is being done by another transaction. The lock is
-- that of `tryLockKey`, and nobody waits for it. The look is a statement of its own, behind the locks, so that it sees
-- what the last holder of a key has committed.
create function ph_look_up_answers(p_keys jsonb, out known_places integer[], out known_fingerprints bytea[],
  out known_responses bytea[])
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $function$
declare
  busy integer[];
begin
  select coalesce(array_agg(k.place), '{}') into busy
    from jsonb_to_recordset(p_keys) as k (place integer, workspace_id text, route text, key text)
   where not pg_try_advisory_xact_lock(hashtextextended(k.workspace_id || ' ' || k.route || ' ' || k.key, 14));

  select array_agg(k.place order by k.place), array_agg(a.fingerprint order by k.place),
         array_agg(a.response order by k.place)
    into known_places, known_fingerprints, known_responses
    from jsonb_to_recordset(p_keys) as k (place integer, workspace_id uuid, route text, key text)
    left join idempotency_keys a on a.workspace_id = k.workspace_id and a.route = k.route and a.key = k.key
                                and a.created_at > now() - interval '24 hours'
   where a.key is not null or k.place = any (busy);
end
$function$;

-- Keeps the answers of p_keys, those at p_left_out excepted. An expired one under the same key is replaced.
create function ph_keep_answers(p_keys jsonb, p_left_out integer[]) returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $function$
begin
  insert into idempotency_keys (workspace_id, route, key, fingerprint, status, response, headers)
  select k.workspace_id, k.route, k.key, decode(k.fingerprint, 'base64'), k.status, decode(k.response, 'base64'),
         k.headers
    from jsonb_to_recordset(p_keys) as k (place integer, workspace_id uuid, route text, key text, fingerprint text,
      status smallint, response text, headers jsonb)
   where k.place <> all (p_left_out)
   order by k.workspace_id, k.route, k.key
  on conflict (workspace_id, route, key) do update
     set fingerprint = excluded.fingerprint, status = excluded.status, response = excluded.response,
         headers = excluded.headers, created_at = now();
end
$function$;

-- `ph_accept_sends` for sends of which some have keys; no key comes twice. A send that is known takes no places and is
-- not stored. The answer of a send commits with it.
create function ph_accept_keyed_sends(p_keys jsonb, p_sends jsonb, p_windows jsonb, p_takes integer[][],
  p_may_fail boolean, p_files bytea[], out counted integer[], out refused_places integer[], out refused_by integer[],
  out suppressed_places integer[], out suppressed_emails integer[], out known_places integer[],
  out known_fingerprints bytea[], out known_responses bytea[])
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $function$
declare
  looked record;
  stored record;
  takes integer[] := '{}';
begin
  looked := ph_look_up_answers(p_keys);
  known_places := looked.known_places;
  known_fingerprints := looked.known_fingerprints;
  known_responses := looked.known_responses;

  if known_places is not null then
    select jsonb_agg(s.send) into p_sends from jsonb_array_elements(p_sends) as s (send)
     where (s.send ->> 'place')::integer <> all (known_places);
    if p_sends is null then
      return;
    end if;
    for i in 1..coalesce(array_length(p_takes, 1), 0) loop
      if p_takes[i][1] = any (known_places) then
        p_windows := jsonb_set(p_windows, array[p_takes[i][2]::text, 'wanted'],
          to_jsonb((p_windows -> p_takes[i][2] ->> 'wanted')::integer - p_takes[i][4]));
      else
        takes := takes || p_takes[i:i];
      end if;
    end loop;
    p_takes := takes;
  end if;

  stored := ph_accept_sends(p_sends, p_windows, p_takes, p_may_fail, p_files);
  counted := stored.counted;
  refused_places := stored.refused_places;
  refused_by := stored.refused_by;
  suppressed_places := stored.suppressed_places;
  suppressed_emails := stored.suppressed_emails;

  perform ph_keep_answers(p_keys, coalesce(known_places, '{}') || coalesce(refused_places, '{}'));
end
$function$;
