import { setForward } from '#features/webhooks';
import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction, onCommit } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { getLockedDomain } from '../get-domain.ts';
import { releaseIdentities } from '../identities/queries.ts';
import { SANDBOX_DOMAIN } from '../sandbox-domain.ts';
import { forgetSenderDomain } from '../sender-domain.ts';
import { deleteDomain } from './queries.ts';

/**
 * Removes a domain with its keys, checks and claim. Emails from it that wait are refused when their turn comes, and
 * issues from it fail: the engine finds its row gone. The identity at the delivery service is deleted by a service.
 */
export async function removeDomain(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { domain } = await getLockedDomain(ctx, tx, id);
    if (domain === SANDBOX_DOMAIN) {
      throw conflict(`${SANDBOX_DOMAIN} belongs to this installation, which sends its own mail from it.`);
    }
    await setForward(tx, ctx, { domainId: id, url: null });
    await deleteDomain(tx, ctx.workspaceId, id);
    await releaseIdentities(tx, ctx.workspaceId, id);
    await recordSecurityEvent(tx, ctx, {
      action: 'domain.deleted',
      targetType: 'domain',
      targetId: id,
      details: { domain },
    });
    onCommit(tx, () => forgetSenderDomain(ctx.workspaceId, domain));
  });
}
