import type { Db } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { type Domain, requireKeyOfDomain } from './domain.ts';
import { findDomain, lockDomain } from './domain-queries.ts';

/** The domain of the workspace with this id; 404 when there is none, 403 when the key is limited to others. */
export async function getDomain(ctx: Ctx, id: string): Promise<Domain> {
  return judged(ctx, id, await findDomain(ctx.db, ctx.workspaceId, id));
}

/** The same, locked until the transaction ends. */
export async function getLockedDomain(ctx: Ctx, tx: Db, id: string): Promise<Domain> {
  return judged(ctx, id, await lockDomain(tx, ctx.workspaceId, id));
}

function judged(ctx: Ctx, id: string, found: Domain | undefined): Domain {
  if (found === undefined) throw notFound('domain', id);
  requireKeyOfDomain(ctx.actor, id);
  return found;
}
