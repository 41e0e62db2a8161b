import type { RawBuilder } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { PageRequest } from '#platform/http/paging.ts';
import { viewsOf } from '../get-contact.ts';
import { pageOfContacts } from '../list-queries.ts';
import { getSegment, requireLists } from './change-segments.ts';
import { countMatching, selectMatching } from './member-queries.ts';
import { conditionOf, openFilter } from './read-segment.ts';

const PREVIEWED = 10;
const NO_FILTER = { search: null, isUnsubscribed: null, listId: null } as const;
/** Contacts that one statement of a count looks at: as many as take some tens of milliseconds, then more. */
const LOOK = { first: 10_000, longest: 100_000, fastMs: 100 } as const;
const COUNT_MS_MAX = 1_000;

/** The newest contacts in a segment, a page at a time. */
export async function listContactsOfSegment(ctx: Ctx, id: string, page: PageRequest) {
  const { filter } = await getSegment(ctx, id);
  const condition = conditionOf(await openFilter(ctx, filter));
  const { rows, goOnAfter } = await pageOfContacts(ctx.db, ctx.workspaceId, { ...NO_FILTER, condition }, page);
  return { contacts: await viewsOf(ctx, rows), goOnAfter };
}

/** How many contacts meet a filter, and the newest of them. It counts for a second, from the newest on. */
export async function previewFilter(ctx: Ctx, given: unknown) {
  const open = await openFilter(ctx, given);
  await requireLists(ctx, open.filter);
  const condition = conditionOf(open);
  const counted = await countForASecond(ctx, condition);
  const first = { after: null, limit: PREVIEWED - 1, offset: 0 };
  const { rows } = await pageOfContacts(ctx.db, ctx.workspaceId, { ...NO_FILTER, condition }, first);
  return { ...counted, contacts: await viewsOf(ctx, rows.slice(0, PREVIEWED)) };
}

/** Counts the contacts that meet a condition for a second at most, from the newest on. */
export async function countForASecond(
  { db, workspaceId, clock }: Pick<Ctx, 'db' | 'workspaceId' | 'clock'>,
  condition: RawBuilder<boolean>,
) {
  const begun = clock.monotonicMs();
  const total = { count: 0, looked_at: 0, complete: false };
  let [after, look]: [string | null, number] = [null, LOOK.first];
  while (!total.complete && clock.monotonicMs() - begun < COUNT_MS_MAX) {
    const lookBegun = clock.monotonicMs();
    const { found, lookedAt, last } = await countMatching(db, workspaceId, condition, { after, look });
    total.count += found;
    total.looked_at += lookedAt;
    total.complete = lookedAt < look;
    after = last;
    if (clock.monotonicMs() - lookBegun < LOOK.fastMs) look = Math.min(look * 2, LOOK.longest);
  }
  return total;
}

/**
 * A select of everybody who is in this segment now: `contact_id` and `email` (the identity of the address). A statement
 * that embeds it sees one snapshot. It leaves nobody out: callers that send look at `unsubscribed_at` and suppressions
 * themselves. Throws not found.
 */
export async function selectSegment(
  ctx: Pick<Ctx, 'workspaceId' | 'clock'>,
  tx: Db,
  id: string,
): Promise<RawBuilder<unknown>> {
  const inside = { workspaceId: ctx.workspaceId, clock: ctx.clock, db: tx };
  const { filter } = await getSegment(inside, id);
  return selectMatching(ctx.workspaceId, conditionOf(await openFilter(inside, filter)));
}
