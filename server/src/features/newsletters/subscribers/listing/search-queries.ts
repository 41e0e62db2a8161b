import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { likeAnywhere } from '#platform/db/like-pattern.ts';
import {
  candidates,
  countSubscribers,
  inList,
  type ListedSubscriber,
  listedColumns,
  ORDERS,
  type PageAsked,
  pageOfFew,
  type SubscriberFilter,
} from './list-queries.ts';

export type Searched<T> = T & { search: string };

/** The rows that are read in order before the index of trigrams is asked: common texts are among the first rows. */
const LOOKED_THROUGH = 2_000;

/** Rows that are counted among for an estimate. */
const SAMPLE = 10_000;

/**
 * Three letters or digits in a row, or two at the edge of a word: what the index of trigrams can be asked for as it
 * is.
 */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]{2}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u;
const IS_PAIR = /^[a-z0-9]{2}$/i;
/** As PostgreSQL counts them. */
const IS_ONE_CHARACTER = /^.$/su;

/** Up to which share of a list those who match a text are counted; 0: no index finds them alone, and they never are. */
export function countedUpTo(search: string): number {
  if (HAS_TRIGRAM.test(search)) return 1;
  if (IS_PAIR.test(search)) return 0.02;
  return IS_ONE_CHARACTER.test(search) ? 0.002 : 0;
}

// The expression of the indexes subscribers_search, subscribers_beyond_ascii and subscribers_characters, to the letter.
const searched = sql`(s.email || E'\n' || lower(coalesce(s.name, '')))`;

const found = (search: string): RawBuilder<unknown> => sql`${searched} like lower(${likeAnywhere(search)})`;

const isBeyondAscii = sql`octet_length(${searched}) > length(${searched})`;

const hasCharactersOf = (search: string): RawBuilder<unknown> =>
  sql`string_to_array(${searched}, null) @> string_to_array(lower(${search}), null)`;

/**
 * The same, in words that an index understands. Two letters make no trigram, but with each character that can follow
 * they do: letters and digits, what ends a word, the end of the text. These are all such characters in ASCII; texts
 * that have others too are found by an index of their own. Other texts without a trigram are looked for among the
 * rows that have all of their characters.
 */
function foundByIndex(search: string): RawBuilder<unknown> {
  const lower = search.toLowerCase();
  if (IS_PAIR.test(search)) {
    return sql`(${searched} ~ ${`${lower}[a-z0-9]`} or ${searched} ~ ${`${lower}[\\u0001-/:-@\\[-\`{-\\u007f]`}
      or ${searched} like ${`%${lower}`} or (${isBeyondAscii} and ${found(search)}))`;
  }
  return HAS_TRIGRAM.test(search) ? found(search) : sql`(${hasCharactersOf(search)} and ${found(search)})`;
}

/**
 * A page of a search, `limit + 1` rows when there are more. First the next rows in order are looked through, since
 * what is common is found there, and only when that does not fill the page the index is asked, where what is rare is
 * found at once. Which of the two a text needs is not left to estimates of the planner. `size` is how long the list
 * is at most.
 */
export async function searchSubscribers(
  db: Db,
  workspaceId: string,
  asked: Searched<PageAsked>,
  size: number,
): Promise<ListedSubscriber[]> {
  const wanted = asked.offset + asked.limit + 1;
  if (wanted <= LOOKED_THROUGH) {
    const rows = await lookThrough(db, workspaceId, asked, LOOKED_THROUGH);
    const isAll = rows.length < wanted && (await countFront(db, workspaceId, asked)) < LOOKED_THROUGH;
    if (rows.length === wanted || isAll) return rows.slice(asked.offset);
    // Texts that are neither common nor rare: whichever reads fewer rows, to go on in order or to sort all that the
    // index has.
    const share = rows.length / LOOKED_THROUGH;
    const more = Math.round((MARGIN * wanted) / share);
    if (more < size * share * SCATTERED) {
      const further = await lookThrough(db, workspaceId, asked, more);
      if (further.length === wanted) return further.slice(asked.offset);
    }
  }
  const isInOrder = countedUpTo(asked.search) === 0 && (await areCharactersCommon(db, workspaceId, asked));
  return (await searchPage(workspaceId, asked, isInOrder).execute(db)).rows;
}

/** More is looked through than should do. */
const MARGIN = 1.5;
/** Rows in order that cost as much as one row wherever it is. */
const SCATTERED = 3;

/** The matches among the next `count` rows, as soon as the page is full. */
async function lookThrough(
  db: Db,
  workspaceId: string,
  asked: Searched<PageAsked>,
  count: number,
): Promise<ListedSubscriber[]> {
  const { rows } = await sql<ListedSubscriber>`
    select ${listedColumns} from (
      select s.* from subscribers s where s.workspace_id = ${workspaceId} and ${candidates(asked)}
       order by ${ORDERS[asked.order]} limit ${count}) s
     where ${found(asked.search)}
     order by ${ORDERS[asked.order]} limit ${asked.offset + asked.limit + 1}`.execute(db);
  return rows;
}

async function countFront(db: Db, workspaceId: string, asked: PageAsked): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from subscribers s where s.workspace_id = ${workspaceId} and ${candidates(asked)} limit ${LOOKED_THROUGH}) as front`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/**
 * Whether one in twenty of the next in order has all characters of the text: too many to look for the text among
 * them.
 */
async function areCharactersCommon(db: Db, workspaceId: string, asked: Searched<PageAsked>): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select s.email, s.name from subscribers s where s.workspace_id = ${workspaceId} and ${candidates(asked)}
       order by ${ORDERS[asked.order]} limit ${LOOKED_THROUGH}) as s
     where ${hasCharactersOf(asked.search)}`.execute(db);
  return (rows[0]?.n ?? 0) * 20 > LOOKED_THROUGH;
}

/** The statement by itself, whose plan a test looks at. In order the reading ends with the page. */
export function searchPage(
  workspaceId: string,
  asked: Searched<PageAsked>,
  isInOrder: boolean,
): RawBuilder<ListedSubscriber> {
  if (!isInOrder) return pageOfFew(workspaceId, asked, sql`and ${foundByIndex(asked.search)}`);
  return sql<ListedSubscriber>`
    select ${listedColumns} from subscribers s
     where s.workspace_id = ${workspaceId} and ${candidates(asked)} and ${found(asked.search)}
     order by ${ORDERS[asked.order]} limit ${asked.limit + 1} offset ${asked.offset}`;
}

/** Counted up to `max` and no further. */
export const countFound = (db: Db, workspaceId: string, filter: Searched<SubscriberFilter>, max: number) =>
  countSubscribers(db, workspaceId, filter, max, sql`and ${foundByIndex(filter.search)}`);

/** How many of the newest match. `isAll`: there are no others, and the number is exact. */
export async function countInSample(
  db: Db,
  workspaceId: string,
  filter: Searched<SubscriberFilter>,
): Promise<{ matches: number; lookedThrough: number; isAll: boolean }> {
  const { rows } = await sql<{ matches: number; lookedThrough: number }>`
    select count(*) filter (where ${found(filter.search)}) as matches, count(*) as "lookedThrough" from (
      select s.email, s.name from subscribers s
       where s.workspace_id = ${workspaceId} and ${inList(filter)}
       order by s.created_at desc, s.id desc limit ${SAMPLE}) as s`.execute(db);
  const { matches = 0, lookedThrough = 0 } = rows[0] ?? {};
  return { matches, lookedThrough, isAll: lookedThrough < SAMPLE };
}
