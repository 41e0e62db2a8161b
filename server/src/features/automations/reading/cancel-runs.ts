import { newslettersOfKey } from '#features/workspaces';
import { readAddress } from '#mail/addresses/read-address.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { noteAutomation } from '../defining/note-automation.ts';
import { getAutomation } from '../defining/get-automation.ts';
import { endRuns } from '../running/queries.ts';
import { listActiveRuns } from './queries.ts';

const PAGE = 1_000;

/** Ends active runs where they are, page by page. Emails that were accepted are sent. Returns how many ended. */
export async function cancelRuns(ctx: Ctx, id: string, filter: { email?: string; version?: number }): Promise<number> {
  const automation = await getAutomation(ctx, id);
  const asked = {
    automationId: automation.id,
    email: filter.email === undefined ? null : readAddress(filter.email, 'filter.email').identity,
    version: filter.version ?? null,
    newsletterIds: newslettersOfKey(ctx.actor),
    limit: PAGE,
  };
  const endPage = async (tx: Db): Promise<{ found: number; ended: number }> => {
    const ids = await listActiveRuns(tx, ctx.workspaceId, asked);
    const ends = ids.map((runId) => ({ run_id: runId, status: 'exited' as const, reason: 'cancelled' }));
    return { found: ids.length, ended: (await endRuns(tx, ctx.workspaceId, ends)).length };
  };
  let cancelled = 0;
  for (let page = PAGE; page === PAGE; ) {
    const { found, ended } = await inTransaction(ctx.db, endPage);
    cancelled += ended;
    page = found;
  }
  if (cancelled > 0) {
    await inTransaction(ctx.db, (tx) =>
      noteAutomation(ctx, tx, automation, { action: 'runs_cancelled', details: { cancelled, filter } }),
    );
  }
  return cancelled;
}
