import type { Ctx } from '#platform/http/context.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Domain } from '../domain.ts';
import { getDomain } from '../get-domain.ts';
import { SANDBOX_DOMAIN } from '../sandbox-domain.ts';
import { checkDomain, type CheckPorts } from './check-domain.ts';
import { beginCheck } from './queries.ts';

/**
 * Checks a domain now, unless a check began less than ten seconds ago: then `isNew` is false, and the domain is as that
 * check left it, or as it was before when that is still under way.
 */
export async function verifyDomain(
  ctx: Ctx,
  id: string,
  ports: CheckPorts,
): Promise<{ domain: Domain; isNew: boolean }> {
  const domain = await getDomain(ctx, id);
  // It stands in no DNS, and is verified from the start.
  if (domain.domain === SANDBOX_DOMAIN) return { domain, isNew: false };
  if (!(await beginCheck(ctx.db, domain))) return { domain, isNew: false };
  const checked = await checkDomain({ ...ports, db: ctx.db, log: ctx.log }, domain, ctx);
  if (checked === undefined) throw notFound('domain', id);
  return { domain: checked, isNew: true };
}
