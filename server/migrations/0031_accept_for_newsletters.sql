-- Whoever accepts mail can say which newsletter, issue and subscriber it is for: endpoints that are limited to some
-- newsletters are told of it in the statement that accepts it. The parameters are new and have defaults, so a process of
-- the version before goes on calling it.

drop function ph_accept_send(uuid, uuid, uuid, text, uuid, uuid, smallint, smallint, boolean, timestamptz, text, text, text,
  uuid, jsonb, text, text, text, jsonb, text, jsonb, jsonb, boolean, boolean, uuid[], uuid[], text[], text[], text[], jsonb);

create function ph_accept_send(
  p_workspace uuid, p_send uuid, p_content uuid, p_source text, p_api_key uuid, p_batch uuid, p_batch_index smallint,
  p_lane smallint, p_sandbox boolean, p_expires_at timestamptz,
  p_from_address text, p_from_name text, p_from_domain text, p_domain uuid, p_reply_to jsonb, p_subject text, p_html text,
  p_text text, p_headers jsonb, p_in_reply_to text, p_tags jsonb, p_metadata jsonb, p_track_opens boolean,
  p_track_clicks boolean, p_ids uuid[], p_event_ids uuid[], p_recipients text[], p_names text[], p_typed text[],
  p_grouped jsonb, p_newsletter uuid default null, p_issue uuid default null, p_subscriber uuid default null
) returns text[] language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  suppressed text[];
  first_turn bigint;
begin
  select array(
      select s.email from suppressions s
       where s.workspace_id = p_workspace and s.email = any (p_recipients)
         and (s.expires_at is null or s.expires_at > now())),
    greatest(
      -- every workspace: the head of the lane is everybody's
      (select e.turn from emails e where e.status = 'queued' and e.lane = p_lane
        order by e.lane, e.turn limit 1),
      (select e.turn + 1 from emails e where e.status = 'queued' and e.workspace_id = p_workspace and e.lane = p_lane
        order by e.workspace_id desc, e.lane desc, e.turn desc limit 1),
      0)
    into suppressed, first_turn;
  insert into contents (workspace_id, id, from_address, from_name, from_domain, domain_id, reply_to, subject, html, text,
    headers, in_reply_to, tags, metadata, track_opens, track_clicks)
  values (p_workspace, p_content, p_from_address, p_from_name, p_from_domain, p_domain, p_reply_to, p_subject, p_html,
    p_text, p_headers, p_in_reply_to, p_tags, p_metadata, p_track_opens, p_track_clicks);
  insert into send_requests (workspace_id, id, content_id, batch_id, batch_index, api_key_id, source, total, newsletter_id,
    issue_id)
  values (p_workspace, p_send, p_content, p_batch, p_batch_index, p_api_key, p_source, cardinality(p_ids), p_newsletter,
    p_issue);
  if p_grouped is null then
    insert into emails (workspace_id, id, send_id, content_id, recipient, recipient_name, recipient_typed, cost, lane,
      turn, status, sandbox, expires_at, subscriber_id)
    select p_workspace, r.id, p_send, p_content, r.recipient, r.name, r.typed, 1, p_lane, first_turn + r.n - 1,
      case when r.recipient = any (suppressed) then 'suppressed' else 'queued' end, p_sandbox, p_expires_at, p_subscriber
      from unnest(p_ids, p_recipients, p_names, p_typed) with ordinality as r (id, recipient, name, typed, n);
  else
    insert into emails (workspace_id, id, send_id, content_id, recipient, recipient_name, recipient_typed, grouped, cost,
      lane, turn, status, sandbox, expires_at)
    values (p_workspace, p_ids[1], p_send, p_content, p_recipients[1], p_names[1], p_typed[1], p_grouped,
      cardinality(p_recipients), p_lane, first_turn,
      case when p_recipients <@ suppressed then 'suppressed' else 'queued' end, p_sandbox, p_expires_at);
  end if;
  insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
  select p_workspace, r.event_id, coalesce(r.id, p_ids[1]),
    case when r.recipient = any (suppressed) then 'reject' else 'send' end, r.recipient,
    case when r.recipient = any (suppressed) then '{"reject":{"reason":"suppressed"}}'::jsonb else '{"send":{}}'::jsonb end
    from unnest(p_ids, p_event_ids, p_recipients) as r (id, event_id, recipient);
  -- Mail of the system itself is nobody's to read, and so are its events (decision 0011).
  if p_source <> 'system' then
    insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type)
    select p_workspace, ph_uuidv7(), w.id, r.event_id, r.type
      from webhooks w
      join lateral (
        select x.event_id, case when x.recipient = any (suppressed) then 'reject' else 'send' end as type
          from unnest(p_event_ids, p_recipients) as x (event_id, recipient)) r on w.events && array[r.type, '*']
     where w.workspace_id = p_workspace and w.enabled
       and (w.newsletter_ids = '{}' or p_newsletter = any (w.newsletter_ids))
       and (w.domain_ids = '{}' or p_domain = any (w.domain_ids));
  end if;
  if suppressed = '{}' then
    return array_fill('queued'::text, array[cardinality(p_ids)]);
  elsif p_grouped is null then
    return array(select case when r.recipient = any (suppressed) then 'suppressed' else 'queued' end
      from unnest(p_recipients) with ordinality as r (recipient, n) order by r.n);
  else
    return array[case when p_recipients <@ suppressed then 'suppressed' else 'queued' end];
  end if;
end
$$;

-- As before (migration 0013), and with the deliveries of its events.
create or replace function ph_accept_sends(p_sends jsonb) returns table (place integer, statuses text[]) language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into contents (workspace_id, id, from_address, from_name, from_domain, domain_id, reply_to, subject, html, text,
    headers, in_reply_to, tags, metadata, track_opens, track_clicks)
  select s.workspace_id, s.content, s.from_address, s.from_name, s.from_domain, s.domain, s.reply_to, s.subject, s.html,
    s.text, s.headers, s.in_reply_to, s.tags, s.metadata, s.track_opens, s.track_clicks
    from jsonb_to_recordset(p_sends) as s (workspace_id uuid, content uuid, from_address text, from_name text,
      from_domain text, domain uuid, reply_to jsonb, subject text, html text, text text, headers jsonb, in_reply_to text,
      tags jsonb, metadata jsonb, track_opens boolean, track_clicks boolean);

  insert into send_requests (workspace_id, id, content_id, api_key_id, source, total, newsletter_id, issue_id)
  select s.workspace_id, s.job, s.content, s.api_key, s.source, cardinality(s.ids), s.newsletter, s.issue
    from jsonb_to_recordset(p_sends) as s (workspace_id uuid, job uuid, content uuid, api_key uuid, source text, ids uuid[],
      newsletter uuid, issue uuid);

  return query
  with recipient as materialized (
    select s.workspace_id, s.lane, s.place, s.job, s.content, s.sandbox, s.expires_at, s.source, s.domain, s.newsletter, s.subscriber,
      r.*,
      row_number() over (partition by s.workspace_id, s.lane order by s.place, r.n) - 1 as step,
      exists (select from suppressions x where x.workspace_id = s.workspace_id and x.email = r.recipient
        and (x.expires_at is null or x.expires_at > now())) as suppressed
      from jsonb_to_recordset(p_sends) as s (place integer, workspace_id uuid, job uuid, content uuid, lane smallint,
        sandbox boolean, expires_at timestamptz, source text, domain uuid, newsletter uuid, subscriber uuid, ids uuid[],
        event_ids uuid[], recipients text[], names text[], typed text[])
      cross join lateral unnest(s.ids, s.event_ids, s.recipients, s.names, s.typed) with ordinality
        as r (id, event_id, recipient, name, typed, n)
  ), base as materialized (
    select d.workspace_id, d.lane, greatest(
      -- every workspace: the head of the lane is everybody's
      (select e.turn from emails e where e.status = 'queued' and e.lane = d.lane
        order by e.lane, e.turn limit 1),
      (select e.turn + 1 from emails e where e.status = 'queued' and e.workspace_id = d.workspace_id and e.lane = d.lane
        order by e.workspace_id desc, e.lane desc, e.turn desc limit 1),
      0) as turn
      from (select distinct recipient.workspace_id, recipient.lane from recipient) d
  ), stored as (
    insert into emails (workspace_id, id, send_id, content_id, recipient, recipient_name, recipient_typed, cost, lane,
      turn, status, sandbox, expires_at, subscriber_id)
    select r.workspace_id, r.id, r.job, r.content, r.recipient, r.name, r.typed, 1, r.lane, b.turn + r.step,
      case when r.suppressed then 'suppressed' else 'queued' end, r.sandbox, r.expires_at, r.subscriber
      from recipient r join base b on b.workspace_id = r.workspace_id and b.lane = r.lane
  ), events as (
    insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
    select r.workspace_id, r.event_id, r.id, case when r.suppressed then 'reject' else 'send' end, r.recipient,
      case when r.suppressed then '{"reject":{"reason":"suppressed"}}'::jsonb else '{"send":{}}'::jsonb end
      from recipient r
  ), deliveries as (
    insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type)
    select r.workspace_id, ph_uuidv7(), w.id, r.event_id, case when r.suppressed then 'reject' else 'send' end
      from recipient r
      join webhooks w on w.workspace_id = r.workspace_id and w.enabled
        and (w.newsletter_ids = '{}' or r.newsletter = any (w.newsletter_ids))
        and w.events && array[case when r.suppressed then 'reject' else 'send' end, '*']
        and (w.domain_ids = '{}' or r.domain = any (w.domain_ids))
     where r.source <> 'system'
  )
  select r.place, array_agg(case when r.suppressed then 'suppressed' else 'queued' end order by r.n)
    from recipient r group by r.place;
end
$$;
