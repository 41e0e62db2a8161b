import type { Static } from 'typebox';
import { mailShownTo } from '#features/workspaces';
import { searchAsStored } from '#mail/addresses/search-as-stored.ts';
import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import { countScheduled, pageOfScheduled, type ScheduledFilter } from '../queries/page.ts';
import type { ScheduledQuery } from '../schemas.ts';
import { scheduledSummaryView } from './scheduled-view.ts';

/** A page, newest first, and how many there are; the total is left out where it would take a look at everything. */
export async function listScheduled(ctx: Ctx, query: Static<typeof ScheduledQuery>, page: PageRequest) {
  const { newsletterIds } = mailShownTo(ctx.actor);
  const filter: ScheduledFilter = {
    status: query.status ?? null,
    from: query.from === undefined ? null : new Date(query.from),
    to: query.to === undefined ? null : new Date(query.to),
    search: searchAsStored(query.search ?? '') || null,
    newsletterIds,
  };
  if (filter.from !== null && filter.to !== null && filter.from > filter.to) {
    throw invalid('to', 'to must not be before from');
  }
  const { rows, goOnAfter } = await pageOfScheduled(ctx.db, ctx.workspaceId, filter, page);
  const total =
    page.after !== null || goOnAfter !== null
      ? null
      : await countScheduled(ctx.db, ctx.workspaceId, filter, EXACT_TOTAL_MAX + 1);
  return { data: rows.map(scheduledSummaryView), total, goOnAfter };
}
