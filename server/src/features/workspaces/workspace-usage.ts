import type { Ctx } from '#platform/http/context.ts';
import { listUsage } from '#platform/usage/queries.ts';
import { windowOf } from '#platform/utc-windows.ts';
import { getMembership } from './workspace-access.ts';

/** How much of its quota a workspace has used. Without a quota nothing is counted for it. */
export async function workspaceUsage(ctx: Ctx, workspaceId: string) {
  const { id, emailsPerMonth } = await getMembership(ctx, ctx.db, workspaceId);
  const month = windowOf('monthly', ctx.clock.now());
  const counted =
    emailsPerMonth === null ? [] : await listUsage(ctx.db, id, id, [{ tier: 'monthly', windowStart: month.start }]);
  const used = emailsPerMonth === null ? null : (counted[0]?.used ?? 0);
  return {
    emails_per_month: emailsPerMonth,
    used,
    remaining: emailsPerMonth === null || used === null ? null : Math.max(0, emailsPerMonth - used),
    resets_at: month.resetAt.toISOString(),
  };
}
