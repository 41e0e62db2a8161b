import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction, onCommit } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { signal } from '#platform/work/signal.ts';
import type { Domain } from '../domain.ts';
import { getLockedDomain } from '../get-domain.ts';
import { updateReceiving } from './queries.ts';

/** A domain of this process has begun to receive. Others see it within seconds. */
export const receivingEnabled = signal();

/** Takes mail for a domain, or no more. Mail that was received before stays. */
export async function changeReceiving(ctx: Ctx, id: string, isEnabled: boolean): Promise<Domain> {
  return inTransaction(ctx.db, async (tx) => {
    const current = await getLockedDomain(ctx, tx, id);
    const { workspaceId } = ctx;
    if (!(await updateReceiving(tx, { workspaceId, id, isEnabled }))) return current;
    await recordSecurityEvent(tx, ctx, {
      action: isEnabled ? 'domain.receiving_enabled' : 'domain.receiving_disabled',
      targetType: 'domain',
      targetId: id,
      details: { domain: current.domain },
    });
    if (isEnabled) onCommit(tx, () => receivingEnabled.tell());
    return { ...current, receivingEnabled: isEnabled };
  });
}
