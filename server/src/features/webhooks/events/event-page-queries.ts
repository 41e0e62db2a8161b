import { type RawBuilder, sql } from 'kysely';
import { endOfLook, LOOKED_AT_MAX } from '#platform/db/end-of-look.ts';
import type { EmailEvents, EmailEventSpan } from './email-events.ts';
import type { EventSources } from './event-bodies.ts';

export interface EventSpan extends Omit<EmailEventSpan, 'type'> {
  /** Passed over before the page. */
  offset: number;
  /** Which of the two tables, and of which type; null: both, every type. */
  type: { name: string; ofEmails: boolean } | null;
  /** Without it, the events of emails are left out: the caller may not read emails. */
  withEmails: boolean;
  /** The types of events without an email that the caller may see; null: all. */
  workspaceTypes: readonly string[] | null;
}

/**
 * Ids of the events of a span, in order. Each table is read along its key for no more rows than the page has, and the
 * two pages are merged; nothing is sorted but them.
 */
export async function pageOfEventIds({ db, emailEvents }: EventSources, span: EventSpan): Promise<string[]> {
  return (await eventPage(emailEvents, span).execute(db)).rows.map((row) => row.id);
}

/**
 * The event at which a page of one type stops looking; null when it can look at all that are left, and for all types,
 * which are read along the key. An index by type would cost every email more than that question is worth.
 */
export async function endOfEventLook(
  { db, emailEvents }: EventSources,
  span: EventSpan,
  lookedAtMax = LOOKED_AT_MAX,
): Promise<string | null> {
  if (span.type === null || span.emailId != null) return null;
  const everybody = { withSystemMail: true, newsletterIds: [] };
  const all = { ...span, offset: 0, limit: lookedAtMax, workspaceTypes: null, shown: everybody };
  const looked = span.type.ofEmails ? emailEvents.ids({ ...all, type: null }) : ofWorkspace({ ...all, type: null });
  return endOfLook(
    db,
    sql`select t.id from (${looked}) t order by t.id ${directionOf(span)}`,
    { offset: span.offset },
    lookedAtMax,
  );
}

/** How many there are in the span, counted up to `max` and no further. */
export async function countEvents({ db, emailEvents }: EventSources, span: EventSpan, max: number): Promise<number> {
  const all = { ...span, offset: 0, limit: max };
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select from (${pagesOf(emailEvents, all)}) as merged limit ${max}) as counted`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

/** The statement by itself, whose plan a test looks at. */
export function eventPage(emailEvents: EmailEvents, span: EventSpan): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`
    select id from (${pagesOf(emailEvents, span)}) as merged
     order by id ${directionOf(span)} limit ${span.limit} offset ${span.offset}`;
}

function pagesOf(emailEvents: EmailEvents, span: EventSpan): RawBuilder<unknown> {
  const { type } = span;
  const ofEmails = (): RawBuilder<unknown> =>
    sql`(${emailEvents.ids({ ...span, type: type?.name ?? null, limit: span.offset + span.limit })})`;
  const pages = [
    ...(span.withEmails && (type === null || type.ofEmails) ? [ofEmails()] : []),
    ...((type === null || !type.ofEmails) && span.emailId == null ? [ofWorkspace(span)] : []),
  ];
  return sql.join(pages, sql` union all `);
}

const directionOf = (span: EventSpan): RawBuilder<unknown> => (span.ascending ? sql`asc` : sql`desc`);

/** The conditions on events (v). */
function within({ fromId, untilId, after, ascending, type }: EventSpan): RawBuilder<unknown> {
  const behind = after === null ? sql`` : ascending ? sql` and v.id > ${after}::uuid` : sql` and v.id < ${after}::uuid`;
  const ofType = type === null ? sql`` : sql` and v.type = ${type.name}`;
  return sql`v.id >= ${fromId}::uuid and v.id < ${untilId}::uuid${behind}${ofType}`;
}

function ofWorkspace(span: EventSpan): RawBuilder<unknown> {
  const { newsletterIds } = span.shown;
  const visible =
    newsletterIds.length === 0
      ? sql``
      : sql` and coalesce(v.payload #>> '{newsletter,id}' = any (${newsletterIds}::text[]), true)`;
  const types = span.workspaceTypes;
  const readable = types === null ? sql`` : sql` and v.type = any (${[...types]}::text[])`;
  return sql`(
    select v.id from workspace_events v
     where v.workspace_id = ${span.workspaceId} and ${within(span)}${visible}${readable}
     order by v.id ${directionOf(span)} limit ${span.offset + span.limit})`;
}
