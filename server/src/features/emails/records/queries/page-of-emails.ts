import { type RawBuilder, sql } from 'kysely';
import { emailRecords, originColumns } from '#features/outbox';
import type { MailShown } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';
import { hasText } from '#platform/db/like-pattern.ts';
import { EXACT_TOTAL_MAX } from '#platform/http/paging.ts';
import type { EmailRow } from '../email-record.ts';

/** Columns of an email with its content (`c`) and request (`s`). */
export const emailColumns = sql`
  e.id, e.send_id as "sendId", s.source, ${originColumns}, c.from_address as "fromAddress", c.from_name as "fromName",
  c.from_domain as "fromDomain", e.recipient, e.recipient_name as "recipientName",
  e.recipient_typed as "recipientTyped", e.grouped, c.reply_to as "replyTo", c.subject,
  c.message_id as "givenMessageId", e.status,
  e.provider_message_id as "providerMessageId", c.domain_id as "domainId", s.api_key_id as "apiKeyId", s.request_id as "requestId",
  s.template_version as "templateVersion", c.tags,
  c.metadata, e.sandbox, e.open_count as "openCount", e.click_count as "clickCount",
  e.machine_open_count as "machineOpenCount", e.machine_click_count as "machineClickCount",
  e.first_opened_at as "firstOpenedAt", e.error, e.expires_at as "expiresAt", e.created_at as "createdAt",
  e.sent_at as "sentAt", e.delivered_at as "deliveredAt", e.last_event_at as "lastEventAt"`;

export const emailTables = sql`
  emails e
  join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
  left join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id`;

export interface EmailFilter {
  statuses: readonly string[] | null;
  /** Identities of addresses. */
  to: readonly string[] | null;
  from: string | null;
  /** Domains of the same; only together with `since` and `until`. */
  toDomain: string | null;
  fromDomain: string | null;
  subject: string | null;
  providerMessageId: string | null;
  tag: { name: string; value: string | null } | null;
  /** A field of the metadata; null: any value. */
  metadata: { name: string; value: string | null } | null;
  source: string | null;
  domainId: string | null;
  apiKeyId: string | null;
  newsletterId: string | null;
  issueId: string | null;
  broadcastId: string | null;
  templateId: string | null;
  since: Date | null;
  until: Date | null;
  /** In this count of the analytics, over this span. */
  counted: { name: CountName; since: Date; until: Date; mailboxProvider: string | null } | null;
  shown: MailShown;
}

export type CountName = Parameters<typeof emailRecords.counts.isCounted>[0];

/** Ids are made by us at acceptance and begin with the time, so a span of time is a span of the primary key. */
export const CLOCK_SKEW_MS = 300_000;
export const idAt = (at: Date, offsetMs: number): string => {
  const hex = Math.max(0, at.getTime() + offsetMs)
    .toString(16)
    .padStart(12, '0')
    .slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

export function conditions(workspaceId: string, filter: EmailFilter): RawBuilder<unknown> {
  return sql.join([...ofContents(filter), ...ofRequests(filter), ...ofEmails(workspaceId, filter)], sql` and `);
}

/** The conditions that all emails of a send (s) with its contents (c) meet alike or not at all, and the others. */
export function conditionsBySend(workspaceId: string, filter: EmailFilter): [RawBuilder<unknown>, RawBuilder<unknown>] {
  const [contents, requests] = [ofContents(filter), ofRequests(filter)];
  const emails = ofEmails(workspaceId, { ...filter, statuses: null });
  return [sql.join([sql`true`, ...contents, ...requests], sql` and `), sql.join(emails, sql` and `)];
}

export function ofContents({ from, fromDomain, subject, tag, metadata, domainId }: EmailFilter): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = [];
  if (from !== null) all.push(sql`lower(c.from_address) = ${from}`);
  if (fromDomain !== null) all.push(sql`lower(c.from_domain) = ${fromDomain}`);
  if (subject !== null) all.push(hasText(sql`c.subject`, subject));
  if (tag !== null) {
    const { name, value } = tag;
    all.push(sql`c.tags @> ${JSON.stringify([value === null ? { name } : { name, value }])}::jsonb`);
  }
  if (metadata !== null) {
    const { name, value } = metadata;
    all.push(value === null ? sql`c.metadata ? ${name}` : sql`c.metadata ->> ${name} = ${value}`);
  }
  if (domainId !== null) all.push(sql`c.domain_id = ${domainId}`);
  return all;
}

export function ofRequests(filter: EmailFilter): RawBuilder<unknown>[] {
  const { source, apiKeyId, newsletterId, issueId, broadcastId, templateId, shown } = filter;
  const all: RawBuilder<unknown>[] = [];
  if (source !== null) all.push(sql`s.source = ${source}`);
  if (apiKeyId !== null) all.push(sql`s.api_key_id = ${apiKeyId}`);
  if (newsletterId !== null) all.push(sql`s.newsletter_id = ${newsletterId}`);
  if (issueId !== null) all.push(sql`s.issue_id = ${issueId}`);
  if (broadcastId !== null) all.push(sql`s.broadcast_id = ${broadcastId}`);
  if (templateId !== null) all.push(sql`s.template_id = ${templateId}`);
  if (shown.newsletterIds.length > 0) {
    all.push(sql`(s.newsletter_id is null or s.newsletter_id = any(${shown.newsletterIds}::uuid[]))`);
  }
  return all;
}

function ofEmails(
  workspaceId: string,
  { statuses, to, toDomain, providerMessageId, since, until, counted, shown }: EmailFilter,
): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = [sql`e.workspace_id = ${workspaceId}`];
  if (statuses !== null) {
    // Of one state: a condition of a partial index follows from that, and not from a list.
    const [status, ...others] = statuses;
    all.push(others.length === 0 ? sql`e.status = ${status}` : sql`e.status = any(${statuses}::text[])`);
  }
  if (to !== null) all.push(sql`e.id in (${idsTo(workspaceId, to)})`);
  if (providerMessageId !== null) all.push(sql`e.id in (${idsOfProvider(workspaceId, providerMessageId)})`);
  if (toDomain !== null) all.push(isAtDomain(`@${toDomain}`));
  if (since !== null) {
    all.push(sql`e.id >= ${idAt(since, -CLOCK_SKEW_MS)}::uuid and e.created_at >= ${since}`);
  }
  if (until !== null) {
    all.push(sql`e.id <= ${idAt(until, CLOCK_SKEW_MS)}::uuid and e.created_at < ${until}`);
  }
  if (counted !== null) all.push(emailRecords.counts.isCounted(counted.name, counted));
  if (!shown.withSystemMail) {
    // The few system sends of a workspace have an index of their own, so this costs one look at a short list.
    all.push(sql`not exists (select 1 from send_requests y
      where y.workspace_id = ${workspaceId} and y.source = 'system' and y.id = e.send_id)`);
  }
  return all;
}

/** By index for private copies; grouped messages are few, have an index of their own, and are looked into. */
const idsTo = (workspaceId: string, identities: readonly string[]): RawBuilder<unknown> => sql`
  select t.id from emails t where t.workspace_id = ${workspaceId} and t.recipient = any (${[...identities]}::text[])
  union all
  select g.id from emails g where g.workspace_id = ${workspaceId} and g.grouped is not null and exists (
    select 1 from jsonb_path_query(g.grouped, '$.*[*].address') as address
     where lower(address #>> '{}') = any (${[...identities]}::text[]))`;

const idsOfProvider = (workspaceId: string, providerMessageId: string): RawBuilder<unknown> => sql`
  select t.id from emails t
   where t.workspace_id = ${workspaceId} and t.provider_message_id = ${providerMessageId}`;

/** No index knows the domain of an address. */
const isAtDomain = (ending: string): RawBuilder<unknown> => sql`(
  right(e.recipient, ${ending.length}::integer) = ${ending}
  or (e.grouped is not null and exists (
    select 1 from jsonb_path_query(e.grouped, '$.*[*].address') as address
     where lower(right(address #>> '{}', ${ending.length}::integer)) = ${ending})))`;

/** One page, newest first; one row more than `limit` when there are more. */
export async function pageOfEmails(
  db: Db,
  workspaceId: string,
  filter: EmailFilter,
  page: { limit: number; offset: number; after: string | null },
): Promise<EmailRow[]> {
  return (await emailsPage(workspaceId, filter, page).execute(db)).rows;
}

/**
 * The statement by itself, whose plan a test looks at. Ids first where rows are passed over: with all their columns
 * they were sorted on disk (3.9 s for 50,000 of a million). And ids first for a span of time, which the planner takes
 * for so short that it would read and sort the whole of it.
 */
export function emailsPage(
  workspaceId: string,
  filter: EmailFilter,
  page: { limit: number; offset: number; after: string | null },
): RawBuilder<EmailRow> {
  const { limit, offset } = page;
  const after = page.after === null ? sql`` : sql` and e.id < ${page.after}::uuid`;
  if (filter.statuses === null && filter.since === null && filter.until === null && offset === 0) {
    return sql<EmailRow>`
      select ${emailColumns} from ${emailTables}
       where ${conditions(workspaceId, filter)}${after} and e.workspace_id = ${workspaceId}
       order by e.id desc
       limit ${limit + 1}`;
  }
  return sql<EmailRow>`
    with ${idsOf(workspaceId, filter, { after, most: limit + 1 + offset })}, page as materialized (
      select f.id from found f order by f.id desc limit ${limit + 1} offset ${offset}
    )
    select ${emailColumns} from ${emailTables}
     where e.workspace_id = ${workspaceId} and e.id in (select p.id from page p)
     order by e.id desc`;
}

/** The newest `most` that match, as `found`: of several states the newest of each, by the index of states. */
function idsOf(
  workspaceId: string,
  filter: EmailFilter,
  { after, most }: { after: RawBuilder<unknown>; most: number },
): RawBuilder<unknown> {
  const ids = (of: EmailFilter): RawBuilder<unknown> => sql`
    select e.id from ${countedTables(of)} where ${conditions(workspaceId, of)}${after} and e.workspace_id = ${workspaceId}`;
  const { statuses } = filter;
  if (statuses === null) return sql`found as not materialized (${ids(filter)})`;
  const [status] = statuses;
  // These filters have indexes of their own, in another order: all that there are, while they are there, are sorted.
  if (status === 'sending' || status === 'pending') {
    return sql`found as materialized (${ids({ ...filter, statuses: [status] })})`;
  }
  const newest = statuses.map(
    (one) => sql`(
    ${ids({ ...filter, statuses: null })} and e.status = ${one} order by e.workspace_id desc, e.status desc, e.id desc limit ${most})`,
  );
  return sql`found as materialized (${sql.join(newest, sql` union all `)})`;
}

/** The contents, when the filter looks at them. An email and its send have the same. */
export const contentsOf = (filter: EmailFilter, owner = sql`e`): RawBuilder<unknown> =>
  ofContents(filter).length > 0
    ? sql`join contents c on c.workspace_id = ${owner}.workspace_id and c.id = ${owner}.content_id`
    : sql``;

/** Only the tables that the filter looks at: counting 10,000 takes a tenth of the time without the others. */
function countedTables(filter: EmailFilter): RawBuilder<unknown> {
  const requests = sql`left join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id`;
  return sql`emails e ${contentsOf(filter)} ${ofRequests(filter).length > 0 ? requests : sql``}`;
}

/** How many match: exact up to 10,000, where counting stops. */
export async function countEmails(
  db: Db,
  workspaceId: string,
  filter: EmailFilter,
): Promise<{ total: number; isEstimate: boolean }> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select 1 from ${countedTables(filter)}
       where ${conditions(workspaceId, filter)} and e.workspace_id = ${workspaceId}
       ${filter.since === null ? sql`` : sql`order by e.id desc`} -- the oldest of a span of ids may be too old
       limit ${EXACT_TOTAL_MAX + 1}) as counted`.execute(db);
  const total = rows[0]?.total ?? 0;
  return { total, isEstimate: total > EXACT_TOTAL_MAX };
}
