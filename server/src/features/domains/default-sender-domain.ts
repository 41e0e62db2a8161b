import type { Db } from '#platform/db/database.ts';
import { findOldestVerifiedDomain } from './queries.ts';
import { SANDBOX_DOMAIN } from './sandbox-domain.ts';
import { findSenderDomain, type SenderDomain } from './sender-domain.ts';

/**
 * The domain that mail of the workspace leaves from when nobody has chosen one: its oldest verified domain, else one of
 * the instance, else the sandbox's, which reaches nobody outside of development. Undefined: there is none.
 */
export async function findDefaultSenderDomain(ctx: {
  db: Db;
  workspaceId: string;
  settings: { readonly edition: string; readonly senderDomains: readonly string[] };
}): Promise<SenderDomain | undefined> {
  const oldest = await findOldestVerifiedDomain(ctx.db, ctx.workspaceId, SANDBOX_DOMAIN);
  for (const domain of [...(oldest === undefined ? [] : [oldest]), ...ctx.settings.senderDomains, SANDBOX_DOMAIN]) {
    const found = await findSenderDomain(ctx, domain);
    if (found !== undefined) return found;
  }
  return undefined;
}
