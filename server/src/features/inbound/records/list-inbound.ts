import type { Static } from 'typebox';
import { domainsOfKey } from '#features/workspaces';
import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import type { InboundSummary } from './inbound-email.ts';
import { countInbound, pageOfInbound } from './queries.ts';
import type { InboundQuery } from './schemas.ts';

export async function listInbound(
  ctx: Ctx,
  query: Static<typeof InboundQuery>,
  page: PageRequest,
): Promise<{ rows: InboundSummary[]; total: number | null }> {
  const filter = {
    domainIds: domainsOfKey(ctx.actor),
    domainId: query.domain_id ?? null,
    threadId: query.thread_id ?? null,
    from: query.from?.trim().toLowerCase() ?? null,
  };
  const { after, offset, limit } = page;
  const rows = await pageOfInbound(ctx.db, ctx.workspaceId, { ...filter, after, offset, limit: limit + 1 });
  const max = EXACT_TOTAL_MAX + 1;
  return { rows, total: after === null ? await countInbound(ctx.db, ctx.workspaceId, { ...filter, max }) : null };
}
