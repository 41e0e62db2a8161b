-- Many small sends in one call: what ph_accept_send does for one, set by set, so that the cost of starting a statement
-- is paid once for all sends that came together. Without grouped messages, attachments and reservations, which go
-- through ph_accept_send. Returns the statuses of each send in the order of its ids.
create function ph_accept_sends(p_sends jsonb) returns table (place integer, statuses text[]) language plpgsql
-- As in ph_accept_send: plans made while the tables were empty are kept as they grow.
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

  insert into send_requests (workspace_id, id, content_id, api_key_id, source, total)
  select s.workspace_id, s.job, s.content, s.api_key, s.source, cardinality(s.ids)
    from jsonb_to_recordset(p_sends) as s (workspace_id uuid, job uuid, content uuid, api_key uuid, source text, ids uuid[]);

  return query
  with recipient as materialized (
    select s.workspace_id, s.lane, s.place, s.job, s.content, s.sandbox, s.expires_at, r.*,
      row_number() over (partition by s.workspace_id, s.lane order by s.place, r.n) - 1 as step,
      exists (select from suppressions x where x.workspace_id = s.workspace_id and x.email = r.recipient
        and (x.expires_at is null or x.expires_at > now())) as suppressed
      from jsonb_to_recordset(p_sends) as s (place integer, workspace_id uuid, job uuid, content uuid, lane smallint,
        sandbox boolean, expires_at timestamptz, ids uuid[], event_ids uuid[], recipients text[], names text[], typed text[])
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
      turn, status, sandbox, expires_at)
    select r.workspace_id, r.id, r.job, r.content, r.recipient, r.name, r.typed, 1, r.lane, b.turn + r.step,
      case when r.suppressed then 'suppressed' else 'queued' end, r.sandbox, r.expires_at
      from recipient r join base b on b.workspace_id = r.workspace_id and b.lane = r.lane
  ), events as (
    insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
    select r.workspace_id, r.event_id, r.id, case when r.suppressed then 'reject' else 'send' end, r.recipient,
      case when r.suppressed then '{"reject":{"reason":"suppressed"}}'::jsonb else '{"send":{}}'::jsonb end
      from recipient r
  )
  select r.place, array_agg(case when r.suppressed then 'suppressed' else 'queued' end order by r.n)
    from recipient r group by r.place;
end
$$;
