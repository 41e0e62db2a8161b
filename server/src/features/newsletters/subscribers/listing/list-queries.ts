import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
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

/** How many there are, from the sums that are kept. */
export type Sums = Record<SubscriberStatus, number>;

/** All of a status, or all; whatever else is asked for. */
export const matching = (sums: Sums, { status }: Pick<SubscriberFilter, 'status'>): number =>
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

export const afterRow: Readonly<Record<SubscriberOrder, (after: After) => RawBuilder<unknown>>> = {
  '-created_at': ({ key, id }) => sql`and (s.created_at, s.id) < (${key}::timestamptz, ${id}::uuid)`,
  created_at: ({ key, id }) => sql`and (s.created_at, s.id) > (${key}::timestamptz, ${id}::uuid)`,
  email: ({ key }) => sql`and s.email > ${key}`,
};

/** Without a condition that is not asked for: a plan for all of them at once would be good for none. */
export function conditions({ status, source }: SubscriberFilter): RawBuilder<unknown> {
  return sql`${status === null ? sql`` : sql`and s.status = ${status}`}
             ${source === null ? sql`` : sql`and s.source = ${source}`}`;
}

/** The cost of reading a row from the table, in skipped entries of an index. */
const ROW_COST = 20;

/** `limit + 1` rows when there are more. `sums` are those of the newsletter. */
export async function pageSubscribers(
  db: Db,
  workspaceId: string,
  asked: PageAsked,
  sums: Sums,
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
  const where = sql`
    s.workspace_id = ${workspaceId} and s.newsletter_id = ${asked.newsletterId} ${conditions(asked)}
    ${asked.after === null ? sql`` : afterRow[asked.order](asked.after)}`;
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
 * A page by address of a state that few are in: they are read and sorted, where in the order of addresses nearly
 * everybody would be passed over.
 */
function pageOfFew(workspaceId: string, asked: PageAsked): RawBuilder<ListedSubscriber> {
  return sql<ListedSubscriber>`
    with few as materialized (
      select s.* from subscribers s
       where s.workspace_id = ${workspaceId} and s.newsletter_id = ${asked.newsletterId} ${conditions(asked)}
         ${asked.after === null ? sql`` : afterRow[asked.order](asked.after)}
    )
    select ${listedColumns} from few s order by ${ORDERS[asked.order]} limit ${asked.limit + 1} offset ${asked.offset}`;
}

/** Counted up to `max` and no further. */
export async function countSubscribers(
  db: Db,
  workspaceId: string,
  filter: SubscriberFilter,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from subscribers s
       where s.workspace_id = ${workspaceId} and s.newsletter_id = ${filter.newsletterId} ${conditions(filter)}
       limit ${max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

/** From the sums that are kept: exact, however many there are. */
export async function sumSubscribers(db: Db, workspaceId: string, newsletterId: string): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select coalesce(sum(c.pending), 0)::integer as pending, coalesce(sum(c.active), 0)::integer as active,
           coalesce(sum(c.unsubscribed), 0)::integer as unsubscribed
      from subscriber_counts c where c.workspace_id = ${workspaceId} and c.newsletter_id = ${newsletterId}`.execute(db);
  return rows[0] ?? { pending: 0, active: 0, unsubscribed: 0 };
}
