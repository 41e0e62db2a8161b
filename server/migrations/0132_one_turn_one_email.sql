-- A turn is a round in which each workspace has one email. Until now two transactions that accepted emails of one
-- workspace at the same moment gave them the same turns, because neither saw what the other had not committed yet: of
-- 800 sign-ups over eight connections, a turn had 2.9 emails on average, and everybody else waited for each of them.

-- The next `p_count` turns of a workspace in a lane, which no other transaction has or takes: behind its queued emails,
-- and not before the head of the lane. `p_again`: the emails come back from a wait, and pass those of their workspace
-- that have not waited; of these, too, each has a turn of its own. The rows must get them in the transaction that asks.
--
-- What is not committed is known by locks, for which nobody waits: a turn whose lock is held is passed over. Up to 32
-- turns have a lock each, and share the lock of their block of 64 turns; more of them, and those of a page of more than
-- 128 emails, have their blocks alone. So the 3,200 emails of the largest page have 51 locks, or two for each of its 64
-- workspaces; a page of 500 retries has up to two for each of them. The table of locks has some 7,000 places. A turn
-- whose transaction is undone is taken by the next one, unless others took turns behind it meanwhile.
--
-- Returned are up to 32 turns, or the first of more, which follow one on the other: rows that carry it stay short. The
-- turn of the nth email is coalesce(turns[n], turns[1] + n - 1).
create function ph_take_turns(p_workspace uuid, p_lane smallint, p_count integer, p_again boolean default false,
  p_page integer default 0)
returns bigint[]
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $function$
declare
  turn_lock constant bigint := hashtextextended('turn ' || p_workspace || p_lane || p_again, 22);
  block_lock constant bigint := hashtextextended('block of turns ' || p_workspace || p_lane || p_again, 22);
  own bigint;
  busy bigint;
  first bigint;
  turns bigint[];
begin
  -- every workspace: the head of the lane is everybody's
  select e.turn into first from emails e where e.status = 'queued' and e.lane = p_lane and e.turn >= ph_lane_head(p_lane)
   order by e.lane, e.turn limit 1;
  first := greatest(first, ph_lane_head(p_lane));

  loop
    -- A statement of its own, so that the second look sees what was committed before the locks were taken.
    if p_again then
      select e.turn + 1 into own from emails e
       where e.status = 'queued' and e.not_before is not null and e.workspace_id = p_workspace and e.lane = p_lane
         and e.turn >= ph_lane_head(p_lane)
       order by e.workspace_id desc, e.lane desc, e.turn desc limit 1;
    else
      select e.turn + 1 into own from emails e
       where e.status = 'queued' and e.workspace_id = p_workspace and e.lane = p_lane
         and e.turn >= ph_lane_head(p_lane)
       order by e.workspace_id desc, e.lane desc, e.turn desc limit 1;
    end if;
    if turns[1] >= coalesce(own, 0) then
      return turns;
    end if;
    first := greatest(first, own);

    if p_count <= 32 and p_page <= 128 then
      select array_agg(taken.turn) into turns
        from (select t.turn
                from (select generate_series(first / 64, first / 64 + 100000) as block) as b
               cross join lateral (select generate_series(greatest(first, b.block * 64), b.block * 64 + 63) as turn) as t
               where pg_try_advisory_xact_lock_shared(block_lock # b.block)
                 and pg_try_advisory_xact_lock(turn_lock # t.turn)
               limit p_count) as taken;
    else
      loop
        select b.block into busy
          from (select generate_series(first / 64, (first + p_count - 1) / 64) as block) as b
         where not pg_try_advisory_xact_lock(block_lock # b.block) limit 1;
        exit when busy is null;
        first := (busy + 1) * 64;
      end loop;
      turns := array[first];
    end if;
  end loop;
end
$function$;

-- As before, but for the turns.
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
    select r.*, row_number() over (partition by r.workspace_id, r.lane order by r.place, r.nth) as step,
           case when r.grouped is null then r.suppressed
                else not exists (select from recipient o where o.place = r.place and not o.suppressed) end as none_left
      from recipient r where r.email_id is not null
  ), next as materialized (
    select d.workspace_id, d.lane, ph_take_turns(d.workspace_id, d.lane, d.emails, false, d.page) as turns
      from (select email.workspace_id, email.lane, count(*)::integer as emails,
                   (sum(count(*)) over ())::integer as page
              from email group by email.workspace_id, email.lane) d
  ), stored as (
    insert into emails (workspace_id, id, send_id, content_id, recipient, recipient_name, recipient_typed, grouped, cost,
      lane, turn, status, sandbox, expires_at, subscriber_id)
    select e.workspace_id, e.email_id, e.send_id, e.content_id, e.recipient, e.name, e.typed, e.grouped, e.cost, e.lane,
           coalesce(t.turns[e.step], t.turns[1] + e.step - 1), case when e.none_left then 'suppressed' else 'queued' end, e.sandbox, e.expires_at,
           e.subscriber_id
      from email e join next t on t.workspace_id = e.workspace_id and t.lane = e.lane
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
