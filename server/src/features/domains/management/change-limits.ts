import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction, onCommit } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import type { Domain } from '../domain.ts';
import { getLockedDomain } from '../get-domain.ts';
import { forgetSenderDomain } from '../sender-domain.ts';
import { updateLimits } from './queries.ts';

export interface LimitsInput {
  maxDailyEmails?: number | null;
  maxMonthlyEmails?: number | null;
}

/** Changes what is given; null is unlimited. Recipients are counted while a limit is set. */
export async function changeLimits(ctx: Ctx, id: string, input: LimitsInput): Promise<Domain> {
  return inTransaction(ctx.db, async (tx) => {
    const current = await getLockedDomain(ctx, tx, id);
    const { maxDailyEmails = current.maxDailyEmails, maxMonthlyEmails = current.maxMonthlyEmails } = input;
    const wanted = { ...current, maxDailyEmails, maxMonthlyEmails };
    const changes = changedFields(current, wanted, ['maxDailyEmails', 'maxMonthlyEmails']);
    if (changes === null) return current;
    await updateLimits(tx, ctx.workspaceId, id, wanted);
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
