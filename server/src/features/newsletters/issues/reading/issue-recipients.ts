import { Readable } from 'node:stream';
import { type BulkRecipient, bulkSends, shownStatus } from '#features/outbox';
import { searchAsStored } from '#mail/addresses/search-as-stored.ts';
import { invalid } from '#platform/errors/app-error.ts';
import { csvLine } from '#platform/csv/cells.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Db } from '#platform/db/database.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import { record } from '#platform/records/record.ts';
import { nullable } from '#platform/records/wire-types.ts';
import { Id, type IssueSummary } from '../issue.ts';
import type { IssueStats } from '../issue-stats.ts';
import { addressesLike } from './recipient-search-queries.ts';

type Meant = Omit<NonNullable<Parameters<typeof bulkSends.pageOfRecipients>[2]>, 'limit' | 'offset' | 'after'>;
type RecipientFilter = NonNullable<Meant['filter']>;

/** The recipients that a caller asks for; all of them when nothing is given. */
export interface RecipientsQuery {
  status?: RecipientFilter;
  counted?: NonNullable<Meant['counted']>;
  search?: string;
}

const CSV_PAGE = 1_000;

/** With the id that a page of a list goes by. */
type Row = BulkRecipient & { id: string };

/** A recipient as the API shows it. */
export const RECIPIENT = record({
  subscriber_id: nullable(Id),
  ...bulkSends.recipientFields,
});

export const recipientView = (row: BulkRecipient) => RECIPIENT.view(row, { status: shownStatus(row.status) });

/**
 * The recipients of an issue and their states, the newest first: a page, and one more when there are more. Nobody
 * before it is sent. `total` is null behind a cursor.
 */
export async function listRecipients(
  ctx: Pick<Ctx, 'db'>,
  issue: IssueSummary,
  { page, query }: { page: PageRequest; query: RecipientsQuery },
): Promise<{ rows: Row[]; total: number | null; totalIsEstimate: boolean }> {
  const { workspaceId, sendId } = issue;
  const meant = await meantBy(ctx.db, issue, query);
  const { total, totalIsEstimate } = page.after === null ? await countOf(ctx.db, issue, meant) : NOT_COUNTED;
  // Nobody is looked for who is not there.
  if (sendId === null || total === 0) return { rows: [], total, totalIsEstimate };
  const asked = { ...meant, limit: page.limit + 1, offset: page.offset, after: page.after ?? undefined };
  const found = await bulkSends.pageOfRecipients(ctx.db, { workspaceId, sendId }, asked);
  return { rows: found.map((row) => ({ ...row, id: row.emailId })), total, totalIsEstimate };
}

const NOT_COUNTED = { total: null, totalIsEstimate: false };
/** People whose emails are looked up one by one. */
const SEARCHED_MAX = 1_000;

/**
 * A part of an address is found among the people of the list, by their index; a whole address also of somebody who was
 * deleted since. Throws for a part that many have, or that no index finds.
 */
async function meantBy(db: Db, issue: IssueSummary, { status, counted, search }: RecipientsQuery): Promise<Meant> {
  if (status !== undefined && counted !== undefined) {
    throw invalid('counted', 'Give status or counted, not both.');
  }
  const meant = { filter: status, counted };
  if (search === undefined) return meant;
  const part = searchAsStored(search).toLowerCase();
  if (!/[\p{L}\p{N}]{3}/u.test(part)) throw invalid('search', 'search needs three letters or digits in a row.');
  const addresses = await addressesLike(db, issue, part, SEARCHED_MAX + 1);
  if (addresses.length > SEARCHED_MAX) {
    throw invalid('search', 'More than 1,000 people of the list match. Give more of the address.');
  }
  return { ...meant, addresses: [...new Set([part, ...addresses])] };
}

/** Recipients of a kind are counted up to 10,000. The statistics tell about how many there are beyond that. */
async function countOf(db: Db, issue: IssueSummary, meant: Meant) {
  const { workspaceId, sendId } = issue;
  const { filter, counted, addresses } = meant;
  const isAll = filter === undefined && addresses === undefined && (counted === undefined || counted === 'total');
  if (sendId === null) return { total: 0, totalIsEstimate: false };
  if (!isAll) {
    const total = await bulkSends.countRecipients(db, { workspaceId, sendId }, meant, EXACT_TOTAL_MAX + 1);
    if (total <= EXACT_TOTAL_MAX) return { total, totalIsEstimate: false };
  }
  const stats = (await bulkSends.statsOf(db, workspaceId, [issue])).get(issue.id);
  if (isAll) return { total: stats?.total ?? 0, totalIsEstimate: false };
  const about = stats === undefined ? 0 : counted !== undefined ? stats[counted] : estimateOf(stats, filter ?? 'sent');
  return { total: Math.max(EXACT_TOTAL_MAX + 1, about), totalIsEstimate: true };
}

function estimateOf(stats: IssueStats, filter: RecipientFilter): number {
  switch (filter) {
    case 'pending':
      return stats.waiting;
    case 'failed':
      return stats.refused;
    case 'sent':
    case 'delivery_delayed':
      return stats.sent - stats.delivered - stats.bounced;
    case 'deferred':
      return stats.queued;
    default:
      return stats[filter];
  }
}

const COLUMNS = [
  'email',
  'status',
  'error',
  'last_event_at',
  'open_count',
  'click_count',
  'message_id',
  'subscriber_id',
] as const;

/** The same as a CSV file, read a page at a time as the caller takes it. */
export const exportRecipients = async (
  ctx: Pick<Ctx, 'db'>,
  issue: IssueSummary,
  query: RecipientsQuery,
): Promise<Readable> => Readable.from(lines(ctx, issue, await meantBy(ctx.db, issue, query)), { objectMode: false });

export const csvHeaders = (issue: IssueSummary): Record<string, string> => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="recipients-${issue.id}.csv"`,
});

async function* lines(
  { db }: Pick<Ctx, 'db'>,
  { workspaceId, sendId }: IssueSummary,
  meant: Meant,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  if (sendId === null) return;
  let after: string | undefined;
  for (;;) {
    const rows = await bulkSends.pageOfRecipients(db, { workspaceId, sendId }, { ...meant, limit: CSV_PAGE, after });
    if (rows.length > 0) yield rows.map((row) => csvLine(cellsOf(row))).join('');
    after = rows.at(-1)?.emailId;
    if (rows.length < CSV_PAGE) return;
  }
}

function cellsOf(row: BulkRecipient): string[] {
  const shown = recipientView(row);
  return COLUMNS.map((name) => {
    const value = shown[name];
    return value instanceof Date ? value.toISOString() : String(value ?? '');
  });
}
