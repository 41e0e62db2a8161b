import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Tally } from '#platform/tally/tally.ts';

/** The counts, each of emails at the time when that happened to them. */
export const EMAIL_COUNTS = [
  'sent',
  'delivered',
  'opened',
  'opened_machine',
  'clicked',
  'bounced',
  'bounced_permanent',
  'complained',
  'unsubscribed',
  'suppressed',
  'failed',
  'deferred',
] as const;

export type EmailCount = (typeof EMAIL_COUNTS)[number];
export type EmailCounts = Record<EmailCount, number>;

/** Counts by quarters of an hour. */
export const countsTally: Tally = {
  table: sql`email_counts`,
  key: sql`quarter, domain_id, source, newsletter_id, broadcast_id, template_id, tag, delay`,
  columns: sql`sent, delivered, opened, opened_machine, clicked, bounced, bounced_permanent, complained, unsubscribed,
    suppressed, failed, deferred`,
  sums: sql`sum(sent), sum(delivered), sum(opened), sum(opened_machine), sum(clicked), sum(bounced),
    sum(bounced_permanent), sum(complained), sum(unsubscribed), sum(suppressed), sum(failed), sum(deferred)`,
};

/** No domain, or no newsletter: keys are compared, so there is no null in them. */
const NONE = '00000000-0000-0000-0000-000000000000';
/** All tags beyond the first hundred of a day. */
const OTHER_TAGS = '*';
/** Before the name of a provider of mailboxes, in the place of a tag. */
const MAILBOX = '@';

export const COUNTS_DIMENSIONS = [
  'period',
  'domain',
  'source',
  'newsletter',
  'broadcast',
  'template',
  'tag',
  'mailbox_provider',
] as const;
export type CountsDimension = (typeof COUNTS_DIMENSIONS)[number];

export interface CountsFilter {
  domainId: string | null;
  source: string | null;
  newsletterId: string | null;
  broadcastId: string | null;
  templateId: string | null;
  /** `name:value` */
  tag: string | null;
  /** Not beside a tag. */
  mailboxProvider: string | null;
  withSystemMail: boolean;
  /** Empty: every newsletter. Emails of none are always included. */
  newsletterIds: readonly string[];
}

export interface CountsAsked {
  workspaceId: string;
  /** The first moments of periods, ascending, and the end of the last. All are quarters of an hour. */
  bounds: readonly Date[];
  by: Readonly<Record<CountsDimension, boolean>>;
  filter: CountsFilter;
  limit: number;
}

export interface CountsRow extends EmailCounts {
  /** The place of the period in `bounds`; 0 when it is not asked for. */
  period: number;
  domainId: string | null;
  source: string | null;
  newsletterId: string | null;
  broadcastId: string | null;
  templateId: string | null;
  /** null: the tags that are not counted by themselves. */
  tag: string | null;
  mailboxProvider: string | null;
  /** Of the deliveries in a row of a provider; 0 otherwise. */
  delayClass: number;
}

const EIGHTH_MS = 10_800_000;

/**
 * The sums of the periods, by the dimensions that were asked for. One row for each combination that has any. Each
 * period is a range of an index: finding the period of each row (`width_bucket`) took as long as adding up.
 *
 * A period that may contain a whole eighth of a UTC day takes its eighths from their sums, with the rows that are not
 * in them, and its two ends by quarters of an hour: 19 rows are read for 96. The sums are the same at every time.
 */
export async function sumEmailCounts(
  db: Db,
  { workspaceId, bounds, by, filter, limit }: CountsAsked,
): Promise<CountsRow[]> {
  const byMailbox = by.mailbox_provider || filter.mailboxProvider !== null;
  const edges = by.period ? bounds : [bounds[0], bounds.at(-1)].filter((at) => at !== undefined);
  const hasEighths = edges.some((at, n) => at.getTime() - (edges[n - 1] ?? at).getTime() >= EIGHTH_MS);
  const where = conditions(filter, by);
  const { rows } = await sql<CountsRow>`
    select (p.place - 1)::integer as period, found.*
      from unnest(${edges.slice(0, -1)}::timestamptz[], ${edges.slice(1)}::timestamptz[]) with ordinality
             as p (since, until, place)
     cross join lateral (
       select least(e.first, p.until) as first, greatest(e.last, least(e.first, p.until)) as last
         from (select date_bin('3 hours', p.since + interval '165 minutes', '2000-01-01T00:00:00Z') as first,
                      date_bin('3 hours', p.until, '2000-01-01T00:00:00Z') as last) as e
     ) as eighths
     cross join lateral (
       select ${by.domain ? sql`nullif(c.domain_id, ${NONE}::uuid)` : sql`null::uuid`} as "domainId",
              ${by.source ? sql`nullif(c.source, '')` : sql`null::text`} as source,
              ${by.newsletter ? sql`nullif(c.newsletter_id, ${NONE}::uuid)` : sql`null::uuid`} as "newsletterId",
              ${by.broadcast ? sql`nullif(c.broadcast_id, ${NONE}::uuid)` : sql`null::uuid`} as "broadcastId",
              ${by.template ? sql`nullif(c.template_id, ${NONE}::uuid)` : sql`null::uuid`} as "templateId",
              ${by.tag ? sql`nullif(c.tag, ${OTHER_TAGS})` : sql`null::text`} as tag,
              ${by.mailbox_provider ? sql`substr(c.tag, 2)` : sql`null::text`} as "mailboxProvider",
              ${byMailbox ? sql`c.delay` : sql`0`} as "delayClass", ${totals}
         from (${hasEighths ? countsWithEighths(workspaceId, where) : countsOfQuarters(workspaceId, where)}) as c
        group by 1, 2, 3, 4, 5, 6, 7, 8
       -- Changes that took each other back leave zeros.
       having row (sum(c.sent), sum(c.delivered), sum(c.opened), sum(c.opened_machine), sum(c.clicked), sum(c.bounced),
                   sum(c.complained), sum(c.unsubscribed), sum(c.suppressed), sum(c.failed), sum(c.deferred))
           <> row (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
     ) as found
     order by 1, 2, 3, 4, 5, 6, 7, 8, 9
     limit ${limit}`.execute(db);
  return rows;
}

const counted = sql`c.domain_id, c.source, c.newsletter_id, c.broadcast_id, c.template_id, c.tag, c.delay, c.sent,
  c.delivered, c.opened, c.opened_machine, c.clicked, c.bounced, c.bounced_permanent, c.complained, c.unsubscribed,
  c.suppressed, c.failed, c.deferred`;

const countsOfQuarters = (workspaceId: string, where: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${counted} from email_counts c
   where c.workspace_id = ${workspaceId} and c.quarter >= p.since and c.quarter < p.until and ${where}`;

/** Each quarter once: in an eighth, or in the middle and in none, or in one of the two ends. */
const countsWithEighths = (workspaceId: string, where: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${counted} from email_counts_by_eighth c
   where c.workspace_id = ${workspaceId} and c.eighth >= eighths.first and c.eighth < eighths.last and ${where}
  union all
  select ${counted} from email_counts c
   where c.workspace_id = ${workspaceId} and c.quarter >= eighths.first and c.quarter < eighths.last
     and not c.in_eighths and ${where}
  union all
  select ${counted} from email_counts c
   where c.workspace_id = ${workspaceId} and c.quarter >= p.since and c.quarter < eighths.first and ${where}
  union all
  select ${counted} from email_counts c
   where c.workspace_id = ${workspaceId} and c.quarter >= eighths.last and c.quarter < p.until and ${where}`;

const totals = sql`
  sum(c.sent)::integer as sent, sum(c.delivered)::integer as delivered, sum(c.opened)::integer as opened,
  sum(c.opened_machine)::integer as opened_machine, sum(c.clicked)::integer as clicked,
  sum(c.bounced)::integer as bounced, sum(c.bounced_permanent)::integer as bounced_permanent,
  sum(c.complained)::integer as complained, sum(c.unsubscribed)::integer as unsubscribed,
  sum(c.suppressed)::integer as suppressed, sum(c.failed)::integer as failed,
  sum(c.deferred)::integer as deferred`;

/** The rows of all emails, or those of tags or of providers, in which an email is once for each. */
function ofRows({ tag, mailboxProvider }: CountsFilter, by: CountsAsked['by']): RawBuilder<unknown> {
  if (tag !== null) return sql`c.tag = ${tag}`;
  if (mailboxProvider !== null) return sql`c.tag = ${MAILBOX + mailboxProvider}`;
  if (by.mailbox_provider) return sql`c.tag like ${`${MAILBOX}%`}`;
  return by.tag ? sql`c.tag <> '' and c.tag not like ${`${MAILBOX}%`}` : sql`c.tag = ''`;
}

function conditions(filter: CountsFilter, by: CountsAsked['by']): RawBuilder<unknown> {
  const { domainId, source, newsletterId, broadcastId, templateId, withSystemMail, newsletterIds } = filter;
  const all = [ofRows(filter, by)];
  if (domainId !== null) all.push(sql`c.domain_id = ${domainId}`);
  if (source !== null) all.push(sql`c.source = ${source}`);
  if (newsletterId !== null) all.push(sql`c.newsletter_id = ${newsletterId}`);
  if (broadcastId !== null) all.push(sql`c.broadcast_id = ${broadcastId}`);
  if (templateId !== null) all.push(sql`c.template_id = ${templateId}`);
  if (!withSystemMail) all.push(sql`c.source <> 'system'`);
  if (newsletterIds.length > 0) all.push(sql`c.newsletter_id = any(${[NONE, ...newsletterIds]}::uuid[])`);
  return sql.join(all, sql` and `);
}

/** Since when this database counts: what happened before has no counts. */
export async function findCountingSince(db: Db): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`select since from email_counting`.execute(db);
  return rows[0]?.since ?? new Date(0);
}

/**
 * The condition that an email (e) is in a count of the span: the same as in the trigger that counts
 * (`ph_count_email_outcomes`), and a test compares the two. The provider of its mailbox is that at the counted time.
 */
export function isCounted(
  count: EmailCount,
  { since, until, mailboxProvider }: { since: Date; until: Date; mailboxProvider: string | null },
): RawBuilder<unknown> {
  const { at, also } = momentOf(count);
  const all = [sql`${at} >= ${since}`, sql`${at} < ${until}`];
  if (also !== undefined) all.unshift(also);
  if (mailboxProvider !== null)
    all.push(sql`ph_mailbox_provider(split_part(e.recipient, '@', 2), ${at}) = ${mailboxProvider}`);
  return sql.join(all, sql` and `);
}

interface Moment {
  at: RawBuilder<unknown>;
  /** The time alone does not tell. */
  also?: RawBuilder<unknown>;
}

function momentOf(count: EmailCount): Moment {
  const settledAt = sql`coalesce(e.last_event_at, e.created_at)`;
  switch (count) {
    case 'sent':
      return {
        at: sql`e.sent_at`,
        also: sql`e.status in ('sent', 'delivery_delayed', 'delivered', 'bounced', 'complained')`,
      };
    case 'delivered':
      return { at: sql`e.delivered_at`, also: sql`e.status in ('delivered', 'complained')` };
    case 'opened':
      return { at: sql`e.first_opened_at` };
    case 'opened_machine':
      return { at: sql`e.first_machine_opened_at` };
    case 'clicked':
      return { at: sql`e.first_clicked_at` };
    case 'bounced':
      return { at: sql`e.bounced_at`, also: sql`e.status = 'bounced'` };
    case 'bounced_permanent':
      return { at: sql`e.bounced_at`, also: sql`e.status = 'bounced' and e.bounced_permanently` };
    case 'complained':
      return { at: sql`e.complained_at`, also: sql`e.status = 'complained'` };
    case 'unsubscribed':
      return { at: sql`e.unsubscribed_at` };
    case 'suppressed':
      return { at: settledAt, also: sql`e.status = 'suppressed'` };
    case 'failed':
      return { at: settledAt, also: sql`e.status = 'failed'` };
    case 'deferred':
      return { at: sql`e.first_delayed_at` };
    default:
      throw new Error(`no such count: ${count satisfies never}`);
  }
}
