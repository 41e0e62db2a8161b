-- Accepting looks up kept answers and suppressions one by one, by their unique index, however large the tables are.
--
-- A page of some sends is estimated as 100, and their addresses as 1,000. So the planner rather read all keys of the
-- last 24 hours, and all suppressions of all workspaces, and hashed them: for each page again. Messages of the relay
-- cost more with each one that had come before: 370 µs of PostgreSQL for the first ten thousand of a day, 1,000 µs at
-- 30,000 (2 cores, November 2026).
--
-- Nothing can be joined through a limit or an offset, so each look stays one. The age of a key is asked of the row that
-- was found, so that no index by age can serve the look.
create or replace function ph_look_up_answers(p_keys jsonb, out known_places integer[], out known_fingerprints bytea[],
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
    left join lateral (
      select i.key, i.fingerprint, i.response, i.created_at from idempotency_keys i
       where i.workspace_id = k.workspace_id and i.route = k.route and i.key = k.key limit 1) a
      on a.created_at > now() - interval '24 hours'
   where a.key is not null or k.place = any (busy);
end
$function$;

-- As before, but for the two looks at suppressions.
create or replace function ph_accept_sends(p_sends jsonb, p_windows jsonb, p_takes integer[][], p_may_fail boolean,
  p_files bytea[], out counted integer[], out refused_places integer[], out refused_by integer[],
  out suppressed_places integer[], out suppressed_emails integer[])
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $function$
declare
  taken record;
  is_late boolean;
  event_workspaces uuid[];
  event_ids uuid[];
  event_types text[];
  event_newsletters uuid[];
  event_domains uuid[];
  -- The suppressed addresses of the sends, as place * 2048 + position; null: they were not looked up.
  known integer[];
  less integer;
begin
  if array_length(p_takes, 2) = 5 then
    select coalesce(array_agg(s.place * 2048 + r.nth::integer), '{}') into known
      from jsonb_to_recordset(p_sends) as s (place integer, workspace_id uuid, recipients text[])
      cross join lateral unnest(s.recipients) with ordinality as r (recipient, nth)
     where exists (select from suppressions x where x.workspace_id = s.workspace_id and x.email = r.recipient
       and (x.expires_at is null or x.expires_at > now()) offset 0);
    if cardinality(known) > 0 then
      for i in 1..array_length(p_takes, 1) loop
        continue when p_takes[i][5] = 0;
        select count(*) into less from unnest(known) as k (address) where k.address / 2048 = p_takes[i][1];
        p_takes[i][4] := p_takes[i][4] - less;
        p_windows := jsonb_set(p_windows, array[p_takes[i][2]::text, 'wanted'],
          to_jsonb((p_windows -> p_takes[i][2] ->> 'wanted')::integer - less));
      end loop;
    end if;
  end if;

  -- The rows of a key are what all its sends wait for. Far from its limits they are locked over the commit alone.
  is_late := p_windows is not null and p_may_fail and ph_has_room(p_windows);
  if p_windows is not null and not is_late then
    taken := ph_take_usage(p_windows, p_takes);
    counted := taken.counted;
    refused_places := taken.refused_places;
    refused_by := taken.refused_by;
    if cardinality(refused_places) = jsonb_array_length(p_sends) then
      return;
    end if;
  end if;

  with send as materialized (
    select s.*
      from jsonb_to_recordset(p_sends) as s (place integer, workspace_id uuid, id uuid, content_id uuid, source text,
        api_key_id uuid, batch_id uuid, batch_index smallint, newsletter_id uuid, issue_id uuid, template_id uuid,
        broadcast_id uuid, scheduled_id uuid, automation_run_id uuid, subscriber_id uuid, request_id text,
        template_version integer, content_ids uuid[],
        lane smallint, sandbox boolean, expires_at timestamptz, from_address text, from_name text, from_domain text,
        domain_id uuid, reply_to jsonb, subject text, html text, text text, headers jsonb, in_reply_to text, tags jsonb,
        metadata jsonb, track_opens boolean, track_clicks boolean, mime integer, message_id text,
        email_ids uuid[], event_ids uuid[], recipients text[], names text[], typed text[], grouped jsonb)
     where s.place <> all (coalesce(refused_places, '{}'))
  ), content as (
    insert into contents (workspace_id, id, from_address, from_name, from_domain, domain_id, reply_to, subject, html,
      text, headers, in_reply_to, tags, metadata, track_opens, track_clicks, mime, message_id)
    select s.workspace_id, s.content_id, s.from_address, s.from_name, s.from_domain, s.domain_id, s.reply_to, s.subject,
           s.html, s.text, s.headers, s.in_reply_to, s.tags, s.metadata, s.track_opens, s.track_clicks,
           p_files[s.mime], s.message_id
      from send s
  ), request as (
    insert into send_requests (workspace_id, id, content_id, batch_id, batch_index, api_key_id, source, total,
      newsletter_id, issue_id, template_id, template_version, broadcast_id, scheduled_id, automation_run_id,
      request_id)
    select s.workspace_id, s.id, s.content_id, s.batch_id, s.batch_index, s.api_key_id, s.source,
           cardinality(s.email_ids), s.newsletter_id, s.issue_id, s.template_id, s.template_version,
           s.broadcast_id, s.scheduled_id,
           s.automation_run_id, s.request_id
      from send s
  ), recipient as materialized (
    -- A grouped message has one email id for all of its addresses: it stands beside the first.
    -- Contents of single recipients are stored behind this statement, in the same transaction.
    select s.place, s.workspace_id, s.id as send_id, coalesce(r.own_content, s.content_id) as content_id, s.source, s.domain_id, s.newsletter_id,
           s.subscriber_id, s.lane, s.sandbox, s.expires_at, s.grouped,
           case when s.grouped is null then 1 else cardinality(s.recipients) end as cost,
           r.email_id, coalesce(r.email_id, s.email_ids[1]) as of_email, r.event_id, r.recipient, r.name, r.typed,
           r.nth::integer as nth,
           case when known is not null then s.place * 2048 + r.nth::integer = any (known)
                else exists (select from suppressions x where x.workspace_id = s.workspace_id and x.email = r.recipient
                       and (x.expires_at is null or x.expires_at > now()) offset 0) end as suppressed
      from send s
      cross join lateral unnest(s.email_ids, s.event_ids, s.recipients, s.names, s.typed, s.content_ids)
        with ordinality as r (email_id, event_id, recipient, name, typed, own_content, nth)
  ), email as materialized (
    select r.*, row_number() over (partition by r.workspace_id, r.lane order by r.place, r.nth) - 1 as step,
           case when r.grouped is null then r.suppressed
                else not exists (select from recipient o where o.place = r.place and not o.suppressed) end as none_left
      from recipient r where r.email_id is not null
  ), base as materialized (
    select d.workspace_id, d.lane, greatest(
      -- every workspace: the head of the lane is everybody's
      (select e.turn from emails e where e.status = 'queued' and e.lane = d.lane and e.turn >= ph_lane_head(d.lane)
        order by e.lane, e.turn limit 1),
      (select e.turn + 1 from emails e where e.status = 'queued' and e.workspace_id = d.workspace_id and e.lane = d.lane
          and e.turn >= ph_lane_head(d.lane)
        order by e.workspace_id desc, e.lane desc, e.turn desc limit 1),
      ph_lane_head(d.lane)) as turn
      from (select distinct email.workspace_id, email.lane from email) d
  ), stored as (
    insert into emails (workspace_id, id, send_id, content_id, recipient, recipient_name, recipient_typed, grouped, cost,
      lane, turn, status, sandbox, expires_at, subscriber_id)
    select e.workspace_id, e.email_id, e.send_id, e.content_id, e.recipient, e.name, e.typed, e.grouped, e.cost, e.lane,
           b.turn + e.step, case when e.none_left then 'suppressed' else 'queued' end, e.sandbox, e.expires_at,
           e.subscriber_id
      from email e join base b on b.workspace_id = e.workspace_id and b.lane = e.lane
  ), event as (
    -- The first events of their emails, which nobody else sees yet.
    insert into email_events (workspace_id, id, email_id, sequence, type, recipient, event_data)
    select r.workspace_id, r.event_id, r.of_email, case when r.grouped is null then 1 else r.nth end, case when r.suppressed then 'reject' else 'send' end, r.recipient,
           case when r.suppressed then '{"reject":{"reason":"suppressed"}}'::jsonb else '{"send":{}}'::jsonb end
      from recipient r
  ), told as (
    -- Mail of the system itself is nobody's to read, and so are its events (decision 0011). Most workspaces have no
    -- endpoint: the function of the webhooks, 50 µs a page, is called for the others.
    select array_agg(r.workspace_id) as workspaces, array_agg(r.event_id) as ids,
           array_agg(case when r.suppressed then 'reject' else 'send' end) as types,
           array_agg(r.newsletter_id) as newsletters, array_agg(r.domain_id) as domains
      from recipient r where r.source <> 'system'
       and exists (select from webhooks w where w.workspace_id = r.workspace_id and w.enabled)
  ), left_out as (
    select array_agg(e.place order by e.place, e.nth) as places, array_agg(e.nth order by e.place, e.nth) as emails
      from email e where e.none_left
  )
  select told.workspaces, told.ids, told.types, told.newsletters, told.domains, left_out.places, left_out.emails
    into event_workspaces, event_ids, event_types, event_newsletters, event_domains, suppressed_places, suppressed_emails
    from told, left_out;

  if p_files is not null then
    insert into attachments (workspace_id, id, content_id, position, filename, content_type, cid, disposition, body)
    select s.workspace_id, f.id, s.content_id, f.position, f.filename, f.content_type, f.cid, f.disposition,
           p_files[f.number]
      from jsonb_to_recordset(p_sends) as s (place integer, workspace_id uuid, content_id uuid, files jsonb)
      cross join lateral jsonb_to_recordset(s.files) as f (id uuid, position smallint, filename text, content_type text,
        cid text, disposition text, number integer)
     where s.place <> all (coalesce(refused_places, '{}'));
  end if;

  if event_ids is not null then
    perform ph_deliver_events(event_workspaces, event_ids, event_types, event_newsletters, event_domains);
  end if;

  if is_late then
    taken := ph_take_usage(p_windows, p_takes);
    if taken.refused_places is not null then
      raise exception 'other sends took the room meanwhile';
    end if;
    counted := taken.counted;
  end if;
end
$function$;
