-- Accepting costs less for each send. The windows that a page of sends counts in are given once, not once for each
-- send; deliveries to webhooks are written by a function of the webhooks; the answer is one row. A page of 8 sends of
-- one key with three limits: 1.94 ms of PostgreSQL before, 1.55 ms now (2 cores, 22 November 2026).
--
-- The functions of the same names with other parameters are those of the release before. Its processes call them while
-- processes of this one start; a later migration drops them.

-- A check is parsed from its stored text by every statement that writes (see 0006), and each window is a statement.
alter table usage_windows drop constraint usage_windows_tier_check;

-- Takes places for many sends, in their order, each in all of its windows or in none. p_windows lists each window once,
-- in the order of their key, so that two calls never deadlock: workspace_id, subject_id, tier, window_start; `wanted`,
-- the places that the sends want together; and `cap`, the lowest of their caps. p_takes has a line for each take: a
-- send, the number of a window (from 0), a cap, a count. The lines of one send stand together. `counted` is what each
-- window counted before. Send refused_places[i] found no room in take refused_by[i] of its own, counted from 0.
create function ph_take_usage(p_windows jsonb, p_takes integer[][], out counted integer[], out refused_places integer[],
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
      if totals[p_takes[i][2]] > p_takes[i][3] - p_takes[i][4] then
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

-- Whether each of these windows (p_windows, see ph_take_usage) has room for all that is wanted of it, at this moment.
create function ph_has_room(p_windows jsonb) returns boolean
language sql stable
set enable_seqscan = off
as $function$
  select count(*) = jsonb_array_length(p_windows)
    from jsonb_to_recordset(p_windows) as w (workspace_id uuid, subject_id uuid, tier text, window_start timestamptz,
      wanted integer, cap integer)
    join usage_windows u on u.workspace_id = w.workspace_id and u.subject_id = w.subject_id and u.tier = w.tier
                        and u.window_start = w.window_start
   where u.used <= w.cap - w.wanted;
$function$;

-- A delivery of each event to every endpoint that is enabled and subscribed at this moment. Event i is
-- p_events[i] of type p_types[i]; p_newsletters[i] and p_domains[i] are what it belongs to, for endpoints that are
-- limited to some.
create function ph_deliver_events(p_workspaces uuid[], p_events uuid[], p_types text[], p_newsletters uuid[],
  p_domains uuid[]) returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $function$
begin
  insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type)
  select v.workspace_id, ph_uuidv7(), w.id, v.id, v.type
    from unnest(p_workspaces, p_events, p_types, p_newsletters, p_domains)
      as v (workspace_id, id, type, newsletter_id, domain_id)
    join webhooks w on w.workspace_id = v.workspace_id and w.enabled and w.events && array[v.type, '*']
     and (w.newsletter_ids = '{}' or v.newsletter_id = any (w.newsletter_ids))
     and (w.domain_ids = '{}' or v.domain_id = any (w.domain_ids));
end
$function$;

-- Stores sends with one statement: content once, a row for each email, their events and webhook deliveries. p_windows
-- and p_takes are those of ph_take_usage, p_windows null when nothing is taken; sends that find no room are left out.
-- With p_may_fail the statement fails when other sends take the room at the same time; the caller then stores its
-- sends one by one. p_files are the bytes of attachments and of raw messages, which each send names by their number.
-- Says only what is remarkable: see ph_take_usage; and email suppressed_emails[i], counted from 1, of send
-- suppressed_places[i] is suppressed.
create function ph_accept_sends(p_sends jsonb, p_windows jsonb, p_takes integer[][], p_may_fail boolean, p_files bytea[],
  out counted integer[], out refused_places integer[], out refused_by integer[], out suppressed_places integer[],
  out suppressed_emails integer[])
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
begin
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
        broadcast_id uuid, scheduled_id uuid, automation_run_id uuid, subscriber_id uuid,
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
      newsletter_id, issue_id, template_id, broadcast_id, scheduled_id, automation_run_id)
    select s.workspace_id, s.id, s.content_id, s.batch_id, s.batch_index, s.api_key_id, s.source,
           cardinality(s.email_ids), s.newsletter_id, s.issue_id, s.template_id, s.broadcast_id, s.scheduled_id,
           s.automation_run_id
      from send s
  ), recipient as materialized (
    -- A grouped message has one email id for all of its addresses: it stands beside the first.
    select s.place, s.workspace_id, s.id as send_id, s.content_id, s.source, s.domain_id, s.newsletter_id,
           s.subscriber_id, s.lane, s.sandbox, s.expires_at, s.grouped,
           case when s.grouped is null then 1 else cardinality(s.recipients) end as cost,
           r.email_id, coalesce(r.email_id, s.email_ids[1]) as of_email, r.event_id, r.recipient, r.name, r.typed,
           r.nth::integer as nth,
           exists (select from suppressions x where x.workspace_id = s.workspace_id and x.email = r.recipient
             and (x.expires_at is null or x.expires_at > now())) as suppressed
      from send s
      cross join lateral unnest(s.email_ids, s.event_ids, s.recipients, s.names, s.typed) with ordinality
        as r (email_id, event_id, recipient, name, typed, nth)
  ), email as materialized (
    select r.*, row_number() over (partition by r.workspace_id, r.lane order by r.place, r.nth) - 1 as step,
           case when r.grouped is null then r.suppressed
                else not exists (select from recipient o where o.place = r.place and not o.suppressed) end as none_left
      from recipient r where r.email_id is not null
  ), base as materialized (
    select d.workspace_id, d.lane, greatest(
      -- every workspace: the head of the lane is everybody's
      (select e.turn from emails e where e.status = 'queued' and e.lane = d.lane
        order by e.lane, e.turn limit 1),
      (select e.turn + 1 from emails e where e.status = 'queued' and e.workspace_id = d.workspace_id and e.lane = d.lane
        order by e.workspace_id desc, e.lane desc, e.turn desc limit 1),
      0) as turn
      from (select distinct email.workspace_id, email.lane from email) d
  ), stored as (
    insert into emails (workspace_id, id, send_id, content_id, recipient, recipient_name, recipient_typed, grouped, cost,
      lane, turn, status, sandbox, expires_at, subscriber_id)
    select e.workspace_id, e.email_id, e.send_id, e.content_id, e.recipient, e.name, e.typed, e.grouped, e.cost, e.lane,
           b.turn + e.step, case when e.none_left then 'suppressed' else 'queued' end, e.sandbox, e.expires_at,
           e.subscriber_id
      from email e join base b on b.workspace_id = e.workspace_id and b.lane = e.lane
  ), event as (
    insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
    select r.workspace_id, r.event_id, r.of_email, case when r.suppressed then 'reject' else 'send' end, r.recipient,
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
