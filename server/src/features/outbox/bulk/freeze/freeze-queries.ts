import { type RawBuilder, sql } from 'kysely';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import { type EmailOrigin, NO_ORIGIN } from '#mail/email-origin.ts';
import type { Db } from '#platform/db/database.ts';
import { kindOfAudience, kindToFreeze } from '../../audience-kind.ts';
import { LANES } from '../../lane.ts';
import type { AudienceKey } from '../audience.ts';
import type { BulkState, NewBulkSend, SendKey } from '../bulk-send.ts';
import { newParts, type PartOfSend } from '../parts.ts';
import { tellEvents } from '../../events/queries/tell-events.ts';

const mailbox = ({ address, name }: Mailbox): { address: string; name: string | null } => ({ address, name });

export async function insertBulkSend(
  tx: Db,
  ids: { sendId: string; contentId: string },
  send: NewBulkSend,
): Promise<void> {
  const { workspaceId, content } = send;
  const origin: EmailOrigin = { ...NO_ORIGIN, ...send.origin };
  await sql`
    with content as (
      insert into contents (workspace_id, id, from_address, from_name, from_domain, domain_id, reply_to, subject, html,
        text, headers, in_reply_to, tags, metadata, track_opens, track_clicks, personal)
      values (${workspaceId}, ${ids.contentId}, ${content.from.address}, ${content.from.name}, ${content.domain.domain},
        ${content.domain.domainId}, ${JSON.stringify(content.replyTo.map(mailbox))}::jsonb, ${content.subject},
        ${content.html}, ${content.text}, ${JSON.stringify(content.headers)}::jsonb, ${content.inReplyTo},
        ${JSON.stringify(content.tags)}::jsonb, ${JSON.stringify(content.metadata)}::jsonb, ${content.trackOpens},
        ${content.trackClicks}, ${JSON.stringify(send.personal)}::jsonb)
    )
    insert into send_requests (workspace_id, id, content_id, source, total, newsletter_id, issue_id, broadcast_id,
      template_id, audience_kind, audience_id, bulk_state, progress_at, sandbox, request_id, parts)
    values (${workspaceId}, ${ids.sendId}, ${ids.contentId}, ${send.origin.source}, 0, ${origin.newsletterId}, ${origin.issueId},
      ${origin.broadcastId}, ${origin.templateId}, ${kindToFreeze(send.audience.kind, send.parts !== undefined)}, ${send.audience.audienceId}, 'freezing', clock_timestamp(), ${send.sandbox}, ${send.requestId},
      ${send.parts === undefined ? null : JSON.stringify(newParts(send.parts))}::jsonb)`.execute(tx);
}

export interface FreezingSend extends SendKey, AudienceKey {}

/** The sends that are being frozen, by any process. Reads a handful of rows by an index that holds nothing else. */
export async function selectFreezing(db: Db): Promise<FreezingSend[]> {
  const { rows } = await sql<FreezingSend>`
    select workspace_id as "workspaceId", id as "sendId", audience_kind as kind, audience_id as "audienceId"
      from send_requests
     where bulk_state in ('freezing', 'releasing', 'cancelling') and bulk_state = 'freezing' -- every workspace: one process freezes for all
       and audience_id is not null`.execute(db);
  return rows.map((row) => ({ ...row, kind: kindOfAudience(row.kind) }));
}

export interface LockedFreeze {
  state: BulkState;
  contentId: string;
  contentVersion: number;
  cursor: string | null;
  sandbox: boolean;
  isCancelled: boolean;
  /** As it is stored. */
  kind: string;
  parts: PartOfSend[] | null;
}

/** undefined: another process freezes a page of it at this moment, or there is no such send. */
export async function lockFreeze(tx: Db, { workspaceId, sendId }: SendKey): Promise<LockedFreeze | undefined> {
  const { rows } = await sql<LockedFreeze>`
    select bulk_state as state, content_id as "contentId", content_version as "contentVersion", freeze_cursor as cursor, sandbox,
           cancelled_at is not null as "isCancelled", audience_kind as kind, parts
      from send_requests where workspace_id = ${workspaceId} and id = ${sendId} for update skip locked`.execute(tx);
  return rows[0];
}

interface PageFrozen {
  /** Rows of the page. */
  recipients: number;
  written: number;
  suppressed: number;
  passedOver: number;
  /** The emails that were settled as suppressed. */
  suppressedIds: string[] | null;
  /** The highest id of its emails, of a send with parts. */
  lastId: string | null;
}

/**
 * One page, written by one statement. No row passes through this process, so its memory does not grow with the list.
 * The emails are written in the order of the page, which is the order of the unique index. A turn below zero says
 * that the email was never queued: its `send` event is still to be written. `notBefore`: the time of its part.
 */
export async function freezePage(
  tx: Db,
  { workspaceId, sendId }: SendKey,
  freeze: Pick<LockedFreeze, 'contentId' | 'contentVersion' | 'sandbox'> & { notBefore: string | null },
  page: RawBuilder<unknown>,
): Promise<PageFrozen> {
  const { rows } = await sql<PageFrozen>`
    with page as materialized (${page}),
    frozen as (
      insert into emails (workspace_id, id, send_id, content_id, content_version, recipient, recipient_name, subscriber_id, lane, turn,
        status, error, sandbox, last_event_at, not_before)
      select ${workspaceId}::uuid, ph_uuidv7(), ${sendId}::uuid, ${freeze.contentId}::uuid, ${freeze.contentVersion}::smallint, p.recipient, p.recipient_name,
             p.recipient_id, ${LANES.bulk}::smallint, -1, case when s.email is null then 'pending' else 'suppressed' end,
             case when s.email is not null then 'suppressed' end, ${freeze.sandbox}::boolean,
             case when s.email is not null then clock_timestamp() end, ${freeze.notBefore}::timestamptz
        from page p
        left join suppressions s on s.workspace_id = ${workspaceId} and s.email = p.recipient
          and (s.expires_at is null or s.expires_at > now())
       where not p.passed_over
      on conflict do nothing
      returning id, status
    ), sums as materialized (
      select count(*)::integer as total, (count(*) filter (where status = 'suppressed'))::integer as suppressed from frozen
    ), counted as (
      insert into send_counts (workspace_id, send_id, content_version, total, waiting, suppressed, first_event_at, last_event_at)
      select ${workspaceId}, ${sendId}, ${freeze.contentVersion}::smallint, total, total - suppressed, suppressed,
             case when suppressed > 0 then clock_timestamp() end, case when suppressed > 0 then clock_timestamp() end
        from sums where total > 0
    ), moved as (
      update send_requests set freeze_cursor = coalesce((select max(recipient) from page), freeze_cursor),
             progress_at = clock_timestamp()
       where workspace_id = ${workspaceId} and id = ${sendId}
    )
    select (select count(*) from page)::integer as recipients, sums.total as written, sums.suppressed,
           (select count(*) from page where passed_over)::integer as "passedOver",
           (select array_agg(id) from frozen where status = 'suppressed') as "suppressedIds",
           ${freeze.notBefore === null ? sql`null` : sql`(select id from frozen order by id desc limit 1)`} as "lastId"
      from sums`.execute(tx);
  return rows[0] ?? { recipients: 0, written: 0, suppressed: 0, passedOver: 0, suppressedIds: null, lastId: null };
}

/** Writes the events of the recipients of a page who were settled as suppressed. */
export async function tellSuppressedOfPage(
  tx: Db,
  { workspaceId }: SendKey,
  emailIds: readonly string[],
): Promise<void> {
  await sql`
    with settled as (
      select e.workspace_id, e.id, e.recipient from emails e
       where e.workspace_id = ${workspaceId} and e.id = any (${[...emailIds]}::uuid[])
    ), events as (
      insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
      select workspace_id, ph_uuidv7(), id, 'reject', recipient, '{"reject":{"reason":"suppressed"}}' from settled
      returning workspace_id, id, email_id, type
    ), ${tellEvents}
    select count(*) from events`.execute(tx);
}

/** Stores the parts. `isWhole`: the next part is frozen from its beginning. */
export async function updateParts(
  tx: Db,
  { workspaceId, sendId }: SendKey,
  { parts, isWhole }: { parts: readonly PartOfSend[]; isWhole: boolean },
): Promise<void> {
  await sql`
    update send_requests set parts = ${JSON.stringify(parts)}::jsonb,
           freeze_cursor = case when ${isWhole}::boolean then null else freeze_cursor end
     where workspace_id = ${workspaceId} and id = ${sendId}`.execute(tx);
}

/**
 * All recipients are written: their number is final. The cursor is removed, because it is the address of a person.
 */
export async function closeFreeze(
  tx: Db,
  { workspaceId, sendId }: SendKey,
  { kind }: Pick<LockedFreeze, 'kind'>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    update send_requests r set bulk_state = 'releasing', freeze_cursor = null, frozen_at = clock_timestamp(),
           audience_kind = ${kindOfAudience(kind)}, progress_at = clock_timestamp(), total = coalesce((select sum(c.total) from send_counts c
                              where c.workspace_id = ${workspaceId} and c.send_id = r.id), 0)
     where r.workspace_id = ${workspaceId} and r.id = ${sendId}
    returning r.total`.execute(tx);
  return rows[0]?.total ?? 0;
}
