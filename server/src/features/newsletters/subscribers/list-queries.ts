import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { likeAnywhere } from '#platform/db/like-pattern.ts';
import { subscriberColumns } from './queries.ts';
import type { Subscriber, SubscriberStatus } from './subscriber.ts';

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

/** What is looked through in order before the index of trigrams is asked: common texts are among the first rows. */
const LOOKED_THROUGH = 2_000;

/** What the index can be asked for: three letters or digits in a row. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;

// The expression of the index subscribers_search, to the letter.
const searched = sql`(s.email || E'\n' || lower(coalesce(s.name, '')))`;

const columns = sql`${subscriberColumns},
  to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAtText"`;

const ORDERS: Readonly<Record<SubscriberOrder, RawBuilder<unknown>>> = {
  '-created_at': sql`s.created_at desc, s.id desc`,
  created_at: sql`s.created_at, s.id`,
  email: sql`s.email`,
};

const afterRow: Readonly<Record<SubscriberOrder, (after: After) => RawBuilder<unknown>>> = {
  '-created_at': ({ key, id }) => sql`and (s.created_at, s.id) < (${key}::timestamptz, ${id}::uuid)`,
  created_at: ({ key, id }) => sql`and (s.created_at, s.id) > (${key}::timestamptz, ${id}::uuid)`,
  email: ({ key }) => sql`and s.email > ${key}`,
};

/** Without a condition that is not asked for: a plan for all of them at once would be good for none. */
function conditions({ status, source }: SubscriberFilter): RawBuilder<unknown> {
  return sql`${status === null ? sql`` : sql`and s.status = ${status}`}
             ${source === null ? sql`` : sql`and s.source = ${source}`}`;
}

/** `limit + 1` rows when there are more. */
export async function pageSubscribers(db: Db, workspaceId: string, asked: PageAsked): Promise<ListedSubscriber[]> {
  const from = asked.after === null ? sql`` : afterRow[asked.order](asked.after);
  const { rows } = await sql<ListedSubscriber>`
    select ${columns} from subscribers s
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${asked.newsletterId} ${conditions(asked)} ${from}
     order by ${ORDERS[asked.order]} limit ${asked.limit + 1} offset ${asked.offset}`.execute(db);
  return rows;
}

/**
 * The same for a search: first the next rows in order are looked through, since what is common is found there, and only
 * when that does not fill the page the index is asked, where what is rare is found at once. Which of the two a text
 * needs is not left to estimates.
 */
export async function searchSubscribers(
  db: Db,
  workspaceId: string,
  asked: PageAsked & { search: string },
): Promise<ListedSubscriber[]> {
  const from = asked.after === null ? sql`` : afterRow[asked.order](asked.after);
  const wanted = asked.offset + asked.limit + 1;
  const like = sql`like lower(${likeAnywhere(asked.search)})`;
  if (wanted <= LOOKED_THROUGH) {
    const { rows } = await sql<ListedSubscriber & { lookedThrough: number }>`
      with front as materialized (
        select s.* from subscribers s
         where s.workspace_id = ${workspaceId} and s.newsletter_id = ${asked.newsletterId} ${conditions(asked)} ${from}
         order by ${ORDERS[asked.order]} limit ${LOOKED_THROUGH}
      )
      select ${columns}, (select count(*) from front) as "lookedThrough" from front s where ${searched} ${like}
       order by ${ORDERS[asked.order]} limit ${wanted}`.execute(db);
    const isAll = (rows[0]?.lookedThrough ?? (await countFront(db, workspaceId, asked, from))) < LOOKED_THROUGH;
    if (rows.length === wanted || isAll) return rows.slice(asked.offset);
  }
  if (!HAS_TRIGRAM.test(asked.search)) {
    // The index would be read whole: in order, the reading ends with the page.
    const { rows } = await sql<ListedSubscriber>`
      select ${columns} from subscribers s
       where s.workspace_id = ${workspaceId} and s.newsletter_id = ${asked.newsletterId} ${conditions(asked)} ${from}
         and ${searched} ${like}
       order by ${ORDERS[asked.order]} limit ${asked.limit + 1} offset ${asked.offset}`.execute(db);
    return rows;
  }
  const { rows } = await sql<ListedSubscriber>`
    with found as materialized (
      select s.* from subscribers s
       where s.workspace_id = ${workspaceId} and s.newsletter_id = ${asked.newsletterId} ${conditions(asked)} ${from}
         and ${searched} ${like}
    )
    select ${columns} from found s
     order by ${ORDERS[asked.order]} limit ${asked.limit + 1} offset ${asked.offset}`.execute(db);
  return rows;
}

async function countFront(db: Db, workspaceId: string, asked: PageAsked, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from subscribers s
       where s.workspace_id = ${workspaceId} and s.newsletter_id = ${asked.newsletterId} ${conditions(asked)} ${from}
       limit ${LOOKED_THROUGH}) as front`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Counted up to `max` and no further. */
export async function countSubscribers(
  db: Db,
  workspaceId: string,
  filter: SubscriberFilter,
  max: number,
): Promise<number> {
  const search = filter.search === null ? sql`` : sql`and ${searched} like lower(${likeAnywhere(filter.search)})`;
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from subscribers s
       where s.workspace_id = ${workspaceId} and s.newsletter_id = ${filter.newsletterId} ${conditions(filter)} ${search}
       limit ${max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

/** From the sums that are kept: exact, however many there are. */
export async function sumSubscribers(
  db: Db,
  workspaceId: string,
  newsletterId: string,
  status: SubscriberStatus | null,
): Promise<number> {
  const { rows } = await sql<Record<SubscriberStatus, number>>`
    select coalesce(sum(c.pending), 0)::integer as pending, coalesce(sum(c.active), 0)::integer as active,
           coalesce(sum(c.unsubscribed), 0)::integer as unsubscribed
      from subscriber_counts c where c.workspace_id = ${workspaceId} and c.newsletter_id = ${newsletterId}`.execute(db);
  const [sums] = rows;
  if (sums === undefined) return 0;
  return status === null ? sums.pending + sums.active + sums.unsubscribed : sums[status];
}
