-- The accepting statement is a function because of its plans: the server keeps them, so they survive a transaction
-- pooler, and an accept is not planned anew each time. Measured on 2 cores, 16 connections, each its own commit:
-- 2,190/s with its statements planned for each call, 4,300/s with the plans kept (21 November 2026). Plans made while
-- the tables were still empty are kept as they grow, so none may have a sequential scan (enable_seqscan).
--
-- An email enters its lane at the turn
--   greatest(lowest queued turn of the lane, highest queued turn of this workspace in the lane + 1)
-- so that every workspace with work gets one email a round. Suppression is looked up here, not before: an address
-- that was suppressed by an earlier commit is never queued.
--
-- Stores sends with one statement: content once, a row for each email, their events and webhook deliveries. Sends
-- that find no room in a window of theirs (p_takes, see above) are left out. p_files are the bytes of attachments,
-- which each send names by their number. Says only what is remarkable: what was taken and refused, and which emails
-- (counted from 1) are suppressed. As a function it keeps its plans on the server (planning takes longer than running
-- it).
create function ph_accept_sends(p_sends jsonb, p_takes jsonb, p_files bytea[])
returns table (place integer, refused_by integer, used integer[], suppressed integer[])
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $function$
#variable_conflict use_column
declare
  refused integer[] := '{}';
begin
  if p_takes is not null then
    for place, refused_by, used in select t.place, t.refused_by, t.used from ph_take_usage(p_takes) t loop
      if refused_by is not null then
        refused := refused || place;
      end if;
      return next;
    end loop;
    if cardinality(refused) = jsonb_array_length(p_sends) then
      return;
    end if;
  end if;

  return query
  with send as materialized (
    select s.*
      from jsonb_to_recordset(p_sends) as s (place integer, workspace_id uuid, id uuid, content_id uuid, source text,
        api_key_id uuid, batch_id uuid, batch_index smallint, newsletter_id uuid, issue_id uuid, template_id uuid,
        broadcast_id uuid, scheduled_id uuid, automation_run_id uuid, subscriber_id uuid,
        lane smallint, sandbox boolean, expires_at timestamptz, from_address text, from_name text, from_domain text,
        domain_id uuid, reply_to jsonb, subject text, html text, text text, headers jsonb, in_reply_to text, tags jsonb,
        metadata jsonb, track_opens boolean, track_clicks boolean, files jsonb, email_ids uuid[], event_ids uuid[],
        recipients text[], names text[], typed text[], grouped jsonb)
     where s.place <> all (refused)
  ), content as (
    insert into contents (workspace_id, id, from_address, from_name, from_domain, domain_id, reply_to, subject, html,
      text, headers, in_reply_to, tags, metadata, track_opens, track_clicks)
    select s.workspace_id, s.content_id, s.from_address, s.from_name, s.from_domain, s.domain_id, s.reply_to, s.subject,
           s.html, s.text, s.headers, s.in_reply_to, s.tags, s.metadata, s.track_opens, s.track_clicks
      from send s
  ), file as (
    insert into attachments (workspace_id, id, content_id, position, filename, content_type, cid, disposition, body)
    select s.workspace_id, f.id, s.content_id, f.position, f.filename, f.content_type, f.cid, f.disposition,
           p_files[f.number]
      from send s
      cross join lateral jsonb_to_recordset(s.files) as f (id uuid, position smallint, filename text, content_type text,
        cid text, disposition text, number integer)
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
  ), delivery as (
    insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type)
    select r.workspace_id, ph_uuidv7(), w.id, r.event_id, case when r.suppressed then 'reject' else 'send' end
      from recipient r
      join webhooks w on w.workspace_id = r.workspace_id and w.enabled
        and (w.newsletter_ids = '{}' or r.newsletter_id = any (w.newsletter_ids))
        and w.events && array[case when r.suppressed then 'reject' else 'send' end, '*']
        and (w.domain_ids = '{}' or r.domain_id = any (w.domain_ids))
     -- Mail of the system itself is nobody's to read, and so are its events (decision 0011).
     where r.source <> 'system'
  )
  select e.place, null::integer, null::integer[], array_agg(e.nth order by e.nth)
    from email e where e.none_left group by e.place;
end
$function$;
