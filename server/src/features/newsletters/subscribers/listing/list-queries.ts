import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SubscriberCounts } from '../../counts/counts-queries.ts';
import { subscriberColumns } from '../queries.ts';
import type { Subscriber, SubscriberStatus } from '../subscriber.ts';

export interface SubscriberFilter {
  newsletterId: string;
  status: SubscriberStatus | null;
  source: string | null;
  /** Part of the address or the name, however it is written; null: all. */
  search: string | null;
}

export const SUBSCRIBER_ORDERS = ['created_at', '-created_at', 'email'] as const;
export type SubscriberOrder = (typeof SUBSCRIBER_ORDERS)[number];

/** Where a page goes on: after the row that has this time (with microseconds) or address, and this id. */
export interface After {
  key: string;
  id: string;
}

export interface ListedSubscriber extends Subscriber {
  /** With microseconds, as a cursor needs it. */
  createdAtText: string;
}

export interface PageAsked extends SubscriberFilter {
  order: SubscriberOrder;
  after: After | null;
  limit: number;
  offset: number;
}

/** All of a status, or all; whatever else is asked for. */
export const matching = (sums: SubscriberCounts, { status }: Pick<SubscriberFilter, 'status'>): number =>
  status === null ? sums.pending + sums.active + sums.unsubscribed : sums[status];

export const listedColumns = sql`${subscriberColumns},
  to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAtText"`;

export const ORDERS: Readonly<Record<SubscriberOrder, RawBuilder<unknown>>> = {
  '-created_at': sql`s.created_at desc, s.id desc`,
  created_at: sql`s.created_at, s.id`,
  email: sql`s.email`,
};

const REVERSED: Readonly<Record<SubscriberOrder, RawBuilder<unknown>>> = {
  '-created_at': ORDERS.created_at,
  created_at: ORDERS['-created_at'],
  email: sql`s.email desc`,
};

const afterRow: Readonly<Record<SubscriberOrder, (after: After) => RawBuilder<unknown>>> = {
  '-created_at': ({ key, id }) => sql`and (s.created_at, s.id) < (${key}::timestamptz, ${id}::uuid)`,
  created_at: ({ key, id }) => sql`and (s.created_at, s.id) > (${key}::timestamptz, ${id}::uuid)`,
  email: ({ key }) => sql`and s.email > ${key}`,
};

/**
 * Subscribers of the list that the filter lets through, beside the workspace that each statement names. It has no
 * condition that nobody asked for: a plan for all conditions at once would be good for none.
 */
export const inList = ({ newsletterId, status, source }: SubscriberFilter): RawBuilder<unknown> => sql`
  s.newsletter_id = ${newsletterId} ${status === null ? sql`` : sql`and s.status = ${status}`}
  ${source === null ? sql`` : sql`and s.source = ${source}`}`;

/** The same, from where the page goes on. */
export const candidates = (asked: PageAsked): RawBuilder<unknown> =>
  sql`${inList(asked)} ${asked.after === null ? sql`` : afterRow[asked.order](asked.after)}`;

/** The cost of reading a row from the table, in skipped entries of an index. */
const ROW_COST = 20;

/** `limit + 1` rows when there are more. `sums` are those of the newsletter. */
export async function pageSubscribers(
  db: Db,
  workspaceId: string,
  asked: PageAsked,
  sums: SubscriberCounts,
): Promise<ListedSubscriber[]> {
  const total = matching(sums, asked);
  const isBySums = asked.source === null && asked.after === null;
  if (isBySums && asked.offset >= total) return [];
  const passedOver = ((asked.offset + asked.limit) * matching(sums, { status: null })) / Math.max(1, total);
  if (asked.order === 'email' && asked.status !== null && total * ROW_COST < passedOver) {
    return (await pageOfFew(workspaceId, asked).execute(db)).rows;
  }
  return (await pageOfList(workspaceId, asked, isBySums ? total : null).execute(db)).rows;
}

/**
 * The statement by itself, whose plan a test looks at. Skipped entries are entries of an index, not rows: a page of
 * keys is found first, from whichever end of the list is nearer, and joined with its rows afterwards. `total` is how
 * many match; null when that is not known.
 */
export function pageOfList(workspaceId: string, asked: PageAsked, total: number | null): RawBuilder<ListedSubscriber> {
  const where = candidates(asked);
  const order = ORDERS[asked.order];
  const passesOver = asked.offset > 0 || (asked.order === 'email' && asked.status !== null);
  if (!passesOver) {
    return sql<ListedSubscriber>`
      select ${listedColumns} from subscribers s
       where s.workspace_id = ${workspaceId} and ${where} order by ${order} limit ${asked.limit + 1}`;
  }
  const wanted = total === null ? asked.limit + 1 : Math.min(asked.limit + 1, total - asked.offset);
  const behind = total === null ? asked.offset : total - asked.offset - wanted;
  const fromEnd = behind < asked.offset;
  const key = asked.order === 'email' ? sql`email` : sql`id`;
  return sql<ListedSubscriber>`
    with page as materialized (
      select s.${key} from subscribers s where s.workspace_id = ${workspaceId} and ${where}
       order by ${fromEnd ? REVERSED[asked.order] : order} limit ${wanted} offset ${fromEnd ? behind : asked.offset}
    )
    select ${listedColumns} from page p
      join subscribers s on s.workspace_id = ${workspaceId} and s.newsletter_id = ${asked.newsletterId} and s.${key} = p.${key}
     order by ${order}`;
}

/**
 * A page of few: they are read and sorted, where in the order of the list nearly everybody would be passed over. `more`
 * is a further condition on them.
 */
export const pageOfFew = (workspaceId: string, asked: PageAsked, more = sql``): RawBuilder<ListedSubscriber> =>
  sql<ListedSubscriber>`
    with few as materialized (
      select s.* from subscribers s where s.workspace_id = ${workspaceId} and ${candidates(asked)} ${more}
    )
    select ${listedColumns} from few s order by ${ORDERS[asked.order]} limit ${asked.limit + 1} offset ${asked.offset}`;

/** Counted up to `max` and no further; `more` is a further condition. */
export async function countSubscribers(
  db: Db,
  workspaceId: string,
  filter: SubscriberFilter,
  max: number,
  more = sql``,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from subscribers s
       where s.workspace_id = ${workspaceId} and ${inList(filter)} ${more}
       limit ${max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}
