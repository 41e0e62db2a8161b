import { bulkSends } from '#features/outbox';
import { newslettersOfKey } from '#features/workspaces';
import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import { type BroadcastFilter, countBroadcasts, pageOfBroadcasts } from '../queries.ts';
import { broadcastInList } from './broadcast-view.ts';

/** A page of broadcasts, newest first, each with its statistics; `total` is null behind a cursor. */
export async function listBroadcasts(
  { db, workspaceId, actor }: Ctx,
  asked: Omit<BroadcastFilter, 'newsletterIds'>,
  page: PageRequest,
) {
  const filter = { ...asked, newsletterIds: newslettersOfKey(actor) };
  const rows = await pageOfBroadcasts(db, workspaceId, { ...filter, ...page });
  const total = page.after === null ? await countBroadcasts(db, workspaceId, filter, EXACT_TOTAL_MAX + 1) : null;
  const stats = await bulkSends.statsOf(db, workspaceId, rows);
  return {
    data: rows.map((row) => broadcastInList(row, stats.get(row.id))),
    total,
    totalIsEstimate: total !== null && total > EXACT_TOTAL_MAX,
  };
}
