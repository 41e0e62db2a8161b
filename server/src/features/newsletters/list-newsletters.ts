import { newslettersOfKey } from '#features/workspaces';
import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import type { CountedNewsletter } from './newsletter.ts';
import { countNewsletters, pageOfNewsletters } from './queries.ts';

/** A page of the newsletters that the caller may use, newest first, and how many there are (null behind a cursor). */
export async function listNewsletters(
  ctx: Ctx,
  page: PageRequest,
): Promise<{ rows: CountedNewsletter[]; total: number | null }> {
  const own = newslettersOfKey(ctx.actor);
  const ids = own.length === 0 ? null : own;
  const { after, offset } = page;
  const rows = await pageOfNewsletters(ctx.db, ctx.workspaceId, { ids, after, offset, limit: page.limit + 1 });
  const total = after === null ? await countNewsletters(ctx.db, ctx.workspaceId, ids, EXACT_TOTAL_MAX + 1) : null;
  return { rows, total };
}
