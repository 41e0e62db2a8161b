import type { Ctx } from '#platform/http/context.ts';
import { AppError, notFound } from '#platform/errors/app-error.ts';
import type { Domain } from '../domain.ts';
import { getDomain } from '../get-domain.ts';
import { SANDBOX_DOMAIN } from '../sandbox-domain.ts';
import { type CheckPorts, runCheck } from './check-domain.ts';
import type { CheckPlaces } from './check-places.ts';
import { beginCheck } from './queries.ts';

/**
 * Checks a domain now, unless a check began less than ten seconds ago: then `isNew` is false, and the domain is as that
 * check left it, or as it was before when that is still under way. 504 when it found no certain answer because of a
 * time-out: the check is stored, and the domain is in the state that follows.
 */
export async function verifyDomain(
  ctx: Ctx,
  id: string,
  ports: CheckPorts,
  places: CheckPlaces,
): Promise<{ domain: Domain; isNew: boolean }> {
  const domain = await getDomain(ctx, id);
  // It stands in no DNS, and is verified from the start.
  if (domain.domain === SANDBOX_DOMAIN) return { domain, isNew: false };
  return places.within(ctx.workspaceId, async () => {
    if (!(await beginCheck(ctx.db, domain))) return { domain, isNew: false };
    const checked = await runCheck({ ...ports, db: ctx.db, log: ctx.log }, domain, ctx);
    if (checked === undefined) throw notFound('domain', id);
    if (checked.isTimedOut) throw timedOut(checked.domain);
    return { domain: checked.domain, isNew: true };
  });
}

const timedOut = ({ failureReason }: Domain): AppError =>
  new AppError(
    'timeout_error',
    `${failureReason ?? 'There was no answer in time.'} The check is stored. Try again in a while.`,
  );
