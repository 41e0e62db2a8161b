import { searchAsStored } from '#mail/addresses/search-as-stored.ts';
import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, isCursorTime, type PageRequest, readKeyedPage } from '#platform/http/paging.ts';
import { type SubscriberCounts, sumSubscribers } from '../../counts/counts-queries.ts';
import { getNewsletter } from '../../get-newsletter.ts';
import {
  countSubscribers,
  type ListedSubscriber,
  pageSubscribers,
  matching,
  type PageAsked,
  type SubscriberFilter,
  type SubscriberOrder,
} from './list-queries.ts';
import { countedUpTo, countFound, countInSample, type Searched, searchSubscribers } from './search-queries.ts';
import type { SubscriberStatus } from '../subscriber.ts';

export interface ListAsked {
  status?: SubscriberStatus;
  search?: string;
  source?: string;
  sort?: SubscriberOrder;
  page?: string;
  limit?: string;
  cursor?: string;
}

export interface SubscriberPage {
  page: PageRequest;
  rows: ListedSubscriber[];
  /** null with a cursor. */
  total: number | null;
  totalIsEstimate: boolean;
  /** The fields of a row that a cursor contains. */
  keyOf(row: ListedSubscriber): string;
}

type ListCtx = Pick<Ctx, 'db' | 'workspaceId' | 'actor'>;

/** A page of a newsletter's subscribers. Throws 400 for a bad page, limit or cursor, then 404 for the newsletter. */
export async function listSubscribers(ctx: ListCtx, newsletterId: string, query: ListAsked): Promise<SubscriberPage> {
  const order = query.sort ?? '-created_at';
  const page = readKeyedPage(query, order === 'email' ? (key) => key.includes('@') : isCursorTime);
  const after = page.after === null || page.afterKey === null ? null : { key: page.afterKey, id: page.after };
  const newsletter = await getNewsletter(ctx, newsletterId);
  const search = searchAsStored(query.search ?? '') || null;
  const filter = { newsletterId: newsletter.id, status: query.status ?? null, source: query.source ?? null, search };
  const asked = { ...filter, order, after, limit: page.limit, offset: page.offset };
  const sums = await sumSubscribers(ctx.db, ctx.workspaceId, newsletter.id);
  const rows =
    search === null
      ? await pageSubscribers(ctx.db, ctx.workspaceId, asked, sums)
      : await searchSubscribers(ctx.db, ctx.workspaceId, { ...asked, search }, matching(sums, asked));
  const counted = after === null ? await totalOf(ctx, asked, sums, rows.length) : null;
  return {
    page,
    rows,
    total: counted?.total ?? null,
    totalIsEstimate: counted?.isEstimate ?? false,
    keyOf: (row) => (order === 'email' ? row.email : row.createdAtText),
  };
}

interface Total {
  total: number;
  isEstimate: boolean;
}

/** Exact up to 10,000, and for a text that no index finds as far as the newest subscribers tell. */
async function totalOf(ctx: ListCtx, asked: PageAsked, sums: SubscriberCounts, found: number): Promise<Total> {
  const { search, source, offset, limit } = asked;
  const whole = matching(sums, asked);
  if (search === null && source === null) return { total: whole, isEstimate: false };
  // The page is the last one, and not one behind it.
  if (found <= limit && (found > 0 || offset === 0)) return { total: offset + found, isEstimate: false };
  if (search === null) {
    const total = await countSubscribers(ctx.db, ctx.workspaceId, asked, EXACT_TOTAL_MAX + 1);
    return { total, isEstimate: total > EXACT_TOTAL_MAX };
  }
  const estimate = await estimateOf(ctx, { ...asked, search }, { whole, atLeast: offset + found });
  if (estimate !== null) return estimate;
  const total = await countFound(ctx.db, ctx.workspaceId, { ...asked, search }, EXACT_TOTAL_MAX + 1);
  return { total, isEstimate: total > EXACT_TOTAL_MAX };
}

/** From what the newest of the list say. null: it is better counted. */
async function estimateOf(
  { db, workspaceId }: ListCtx,
  filter: Searched<SubscriberFilter>,
  { whole, atLeast }: { whole: number; atLeast: number },
): Promise<Total | null> {
  const counted = countedUpTo(filter.search);
  if (counted === 1) return null;
  const { matches, lookedThrough, isAll } = await countInSample(db, workspaceId, filter);
  if (isAll) return { total: matches, isEstimate: false };
  const share = matches / lookedThrough;
  if (share < counted) return null;
  return { total: Math.max(atLeast, Math.round(whole * share)), isEstimate: true };
}
