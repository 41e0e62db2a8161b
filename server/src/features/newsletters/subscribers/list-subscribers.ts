import { AddressError, identityOf } from '#mail/addresses.ts';
import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, type PageRequest, readPage } from '#platform/http/paging.ts';
import { isUuid } from '#platform/ids.ts';
import type { Newsletter } from '../newsletter.ts';
import {
  type After,
  countSubscribers,
  type ListedSubscriber,
  pageSubscribers,
  searchSubscribers,
  type SubscriberFilter,
  type SubscriberOrder,
  sumSubscribers,
} from './list-queries.ts';
import type { SubscriberStatus } from './subscriber.ts';

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
  /** What a cursor holds of a row. */
  keyOf(row: ListedSubscriber): string;
}

/** A page of a newsletter's subscribers. Throws 400 for a bad page, limit or cursor. */
export async function listSubscribers(
  ctx: Pick<Ctx, 'db' | 'workspaceId'>,
  newsletter: Newsletter,
  query: ListAsked,
): Promise<SubscriberPage> {
  const order = query.sort ?? '-created_at';
  const after = query.cursor === undefined ? null : readCursor(query.cursor, order);
  const { cursor: _, ...rest } = query;
  const page = { ...readPage(rest), after: after?.id ?? null };
  const search = query.search === undefined ? null : searchedText(query.search);
  const filter = { newsletterId: newsletter.id, status: query.status ?? null, source: query.source ?? null, search };
  const asked = { ...filter, order, after, limit: page.limit, offset: after === null ? page.offset : 0 };
  const rows =
    search === null
      ? await pageSubscribers(ctx.db, ctx.workspaceId, asked)
      : await searchSubscribers(ctx.db, ctx.workspaceId, { ...asked, search });
  const total = after === null ? await totalOf(ctx, filter) : null;
  return {
    page,
    rows,
    total,
    totalIsEstimate: total !== null && isBounded(filter) && total > EXACT_TOTAL_MAX,
    keyOf: (row) => (order === 'email' ? row.email : row.createdAtText),
  };
}

const isBounded = ({ search, source }: SubscriberFilter): boolean => search !== null || source !== null;

const totalOf = ({ db, workspaceId }: Pick<Ctx, 'db' | 'workspaceId'>, filter: SubscriberFilter): Promise<number> =>
  isBounded(filter)
    ? countSubscribers(db, workspaceId, filter, EXACT_TOTAL_MAX + 1)
    : sumSubscribers(db, workspaceId, filter.newsletterId, filter.status);

/** A whole address is looked for as it is stored, its domain in ASCII. Null: there is nothing to look for. */
function searchedText(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  try {
    return identityOf(trimmed);
  } catch (error) {
    if (error instanceof AddressError) return trimmed;
    throw error;
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

function readCursor(text: string, order: SubscriberOrder): After {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (typeof read === 'object' && read !== null && 'c' in read && 'i' in read) {
      const { c: key, i: id } = read;
      const fits = typeof key === 'string' && (order === 'email' ? key.includes('@') : isTime(key));
      if (fits && typeof id === 'string' && isUuid(id)) return { key, id };
    }
  } catch {
    // Falls through to the one error a bad cursor gets.
  }
  throw invalid('cursor', 'cursor is not one that a list of ours has returned in this order');
}

const isTime = (text: string): boolean => TIME.test(text) && !Number.isNaN(Date.parse(text));
