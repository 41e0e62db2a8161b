import { recordSecurityEvent } from '#features/workspaces';
import { type Db, inTransaction, onCommit } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { raiseUsage } from '#platform/usage/queries.ts';
import { windowOf } from '#platform/utc-windows.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import type { Domain } from '../domain.ts';
import { getLockedDomain } from '../get-domain.ts';
import { forgetSenderDomain } from '../sender-domain.ts';
import { updateLimits } from './queries.ts';

export interface LimitsInput {
  maxDailyEmails?: number | null;
  maxMonthlyEmails?: number | null;
}

/** Recipients from a domain that were accepted since then. */
export type CountAccepted = (db: Db, of: { workspaceId: string; domainId: string; since: Date }) => Promise<number>;

/**
 * Changes what is given; null is unlimited. Sends count in the windows of limits that are set. The first limit of a
 * day or month begins with what was accepted in it before.
 */
export async function changeLimits(
  ctx: Ctx,
  id: string,
  input: LimitsInput,
  countAccepted: CountAccepted,
): Promise<Domain> {
  return inTransaction(ctx.db, async (tx) => {
    const current = await getLockedDomain(ctx, tx, id);
    const { maxDailyEmails = current.maxDailyEmails, maxMonthlyEmails = current.maxMonthlyEmails } = input;
    const wanted = { ...current, maxDailyEmails, maxMonthlyEmails };
    const changes = changedFields(current, wanted, ['maxDailyEmails', 'maxMonthlyEmails']);
    if (changes === null) return current;
    await updateLimits(tx, ctx.workspaceId, id, wanted);
    if (current.maxDailyEmails === null && maxDailyEmails !== null)
      await beginCount(ctx, tx, id, 'daily', countAccepted);
    if (current.maxMonthlyEmails === null && maxMonthlyEmails !== null)
      await beginCount(ctx, tx, id, 'monthly', countAccepted);
    await recordSecurityEvent(tx, ctx, {
      action: 'domain.limits_changed',
      targetType: 'domain',
      targetId: id,
      details: { domain: current.domain, changes },
    });
    onCommit(tx, () => forgetSenderDomain(ctx.workspaceId, current.domain));
    return wanted;
  });
}

async function beginCount(
  ctx: Ctx,
  tx: Db,
  domainId: string,
  tier: 'daily' | 'monthly',
  countAccepted: CountAccepted,
): Promise<void> {
  const { workspaceId } = ctx;
  const windowStart = windowOf(tier, ctx.clock.now()).start;
  const used = await countAccepted(tx, { workspaceId, domainId, since: windowStart });
  if (used > 0) await raiseUsage(tx, { workspaceId, subjectId: domainId, tier, windowStart, used });
}
