import { type TSchema, Type } from 'typebox';
import { type AppError, invalid } from '../errors/app-error.ts';
import { answer, type Answer } from './route.ts';
import { type Cursor, makeCursor, openCursor } from './cursor.ts';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100;
const PAGE_MAX = 1_000_000;
/** Up to here `total` is exact; beyond it may be an estimate, so that no list is counted to its end. */
export const EXACT_TOTAL_MAX = 10_000;

/** Of any length: a huge limit counts as the largest, and a huge page is above it. */
const WHOLE_NUMBER = { pattern: '^0*[1-9][0-9]*$', 'x-says': 'must be a whole number from 1' } as const;

/** Query fields of every list: spread into a route's `query` schema. */
export const pageQuery = {
  page: Type.Optional(
    Type.String({ ...WHOLE_NUMBER, description: 'The page number, from 1. Ignored when `cursor` is given.' }),
  ),
  limit: Type.Optional(
    Type.String({
      ...WHOLE_NUMBER,
      description: 'Records per page, 1 to 100 (a larger value counts as 100). 50 when left out.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 512,
      format: 'cursor',
      description: '`next_cursor` of the previous page. The fast way to read a long list.',
    }),
  ),
};

export interface PageRequest {
  limit: number;
  page: number;
  /** Records to pass over; 0 when a cursor is given. */
  offset: number;
  /**
   * Continue after this record (order: created_at descending, id descending; ids are UUIDv7, so id alone is that
   * order).
   */
  after: string | null;
}

/** Reads `page`, `limit` and `cursor`; anything but whole numbers from 1 is 400 naming the field. */
export function readPage(query: { page?: string; limit?: string; cursor?: string }): PageRequest {
  const limit = Math.min(wholeNumber('limit', query.limit, LIMIT_DEFAULT), LIMIT_MAX);
  if (query.cursor !== undefined) {
    const { i: after, c: key } = readCursor(query.cursor);
    if (key !== undefined) throw badCursor(); // of a list in another order
    return { limit, page: 1, offset: 0, after };
  }
  const page = wholeNumber('page', query.page, 1);
  if (page > PAGE_MAX) throw invalid('page', `page must be at most ${PAGE_MAX}; use cursor to go through a long list`);
  return { limit, page, offset: (page - 1) * limit, after: null };
}

/** A page of a list whose ids do not sort by its time: the cursor says both. */
export interface TimedPageRequest extends PageRequest {
  /** The time of the record `after`, to the microsecond; null with it. */
  afterTime: string | null;
}

/** The same as `readPage` for a list in the order of a time and, within it, of ids. */
export function readTimedPage(query: { page?: string; limit?: string; cursor?: string }): TimedPageRequest {
  const { afterKey, ...page } = readKeyedPage(query, isCursorTime);
  return { ...page, afterTime: afterKey };
}

/** The same for a list in the order of any key, which the cursor holds beside the id; null without a cursor. */
export function readKeyedPage(
  query: { page?: string; limit?: string; cursor?: string },
  isKey: (text: string) => boolean,
): PageRequest & { afterKey: string | null } {
  const { cursor, ...rest } = query;
  if (cursor === undefined) return { ...readPage(rest), afterKey: null };
  const { i: after, c: key } = readCursor(cursor);
  // PostgreSQL has no text with NUL.
  if (typeof key !== 'string' || key.includes('\0') || !isKey(key)) throw badCursor();
  const { page: _ignored, ...length } = rest;
  return { ...readPage(length), after, afterKey: key };
}

function wholeNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const value = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (value < 1) throw invalid(name, `${name} must be a whole number from 1`);
  return value;
}

const CURSOR_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const DATABASE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/;

/** A time as a cursor holds it. */
export const isCursorTime = (text: string): boolean => CURSOR_TIME.test(text) && isDay(text);

/** A time as the database writes it into JSON. */
export const isDatabaseTime = (text: string): boolean => DATABASE_TIME.test(text) && isDay(text);

/** JavaScript reads 30 February as 2 March and knows a year 0; PostgreSQL refuses both. */
function isDay(text: string): boolean {
  const day = new Date(`${text.slice(0, 19)}Z`);
  return !text.startsWith('0000') && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 19));
}

function readCursor(text: string): Cursor {
  const read = openCursor(text);
  if (read === undefined) throw badCursor();
  return read;
}

const badCursor = (): AppError => invalid('cursor', 'cursor is not one that a list of ours has returned');

/**
 * The response schema of a list. It is named after the records in it: a list of `Webhook` is a `WebhookPage`, and one
 * of `EmailSummary` an `EmailPage`.
 */
export const listEnvelope = <T extends TSchema>(item: T) =>
  Type.Object(
    {
      data: Type.Array(item),
      page: Type.Optional(Type.Integer()),
      limit: Type.Integer(),
      total: Type.Optional(Type.Integer()),
      total_pages: Type.Optional(Type.Integer()),
      total_is_estimate: Type.Optional(Type.Boolean()),
      has_more: Type.Boolean(),
      next_cursor: Type.Union([Type.String(), Type.Null()]),
    },
    { additionalProperties: false, ...titleOfPage(item) },
  );

const titleOfPage = (item: object): { title?: string } =>
  'title' in item && typeof item.title === 'string' ? { title: `${item.title.replace(/Summary$/, '')}Page` } : {};

export const isListEnvelope = (schema: object): boolean =>
  'properties' in schema &&
  typeof schema.properties === 'object' &&
  schema.properties !== null &&
  ['data', 'has_more', 'next_cursor'].every((name) => Object.hasOwn(Object(schema.properties), name));

/**
 * Answers one page. Give `limit + 1` rows when there are more: the extra one only says so. `total` counts what
 * matches (not needed with a cursor). `url` is the request's own, for the RFC 8288 Link header. `timeOf` gives the
 * time of a row as `readTimedPage` reads it back (`YYYY-MM-DDTHH:MM:SS.ffffffZ`). `view` shows a row whose wire form
 * has another id than the one that orders the list.
 */
export function answerPage<T extends { id: string }>(
  request: PageRequest,
  rows: readonly T[],
  options: {
    total: number | null;
    url: string;
    totalIsEstimate?: boolean;
    timeOf?: (index: number) => string;
    view?: (row: T) => unknown;
    /** The list was looked through only as far as this record: a page that is not full goes on behind it. */
    goOnAfter?: string | null;
    /** Its time, in a list that `readTimedPage` reads. */
    goOnTime?: string | null;
  },
): Answer {
  const data = rows.slice(0, request.limit);
  const last = rows.length > request.limit ? data.at(-1) : undefined;
  const { goOnAfter = null, goOnTime } = options;
  const goesOn = goOnAfter === null ? null : makeCursor(goOnAfter, goOnTime ?? undefined);
  const cursor = last === undefined ? goesOn : makeCursor(last.id, options.timeOf?.(data.length - 1));
  const { view } = options;
  const body = {
    data: view === undefined ? data : data.map(view),
    ...(request.after === null && options.total !== null
      ? {
          page: request.page,
          total: options.total,
          total_pages: Math.ceil(options.total / request.limit),
          ...(options.totalIsEstimate === true ? { total_is_estimate: true } : {}),
        }
      : {}),
    limit: request.limit,
    has_more: cursor !== null,
    next_cursor: cursor,
  };
  return answer(body, cursor === null ? {} : { headers: { link: `<${nextUrl(options.url, cursor)}>; rel="next"` } });
}

function nextUrl(url: string, cursor: string): string {
  const [path = ''] = url.split('?', 1);
  const params = new URLSearchParams(url.slice(path.length));
  params.delete('page');
  params.set('cursor', cursor);
  return `${path}?${params.toString()}`;
}
