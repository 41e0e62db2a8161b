import { forbidden } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { findHomeWorkspace, findMembership } from '../queries.ts';
import { userIdOf } from '../workspace-access.ts';

/** The operator of the instance: an owner of the home workspace. Everyone else gets 403. */
export async function requireOperator(ctx: Ctx): Promise<void> {
  const home = await findHomeWorkspace(ctx.db);
  const membership = home && (await findMembership(ctx.db, home.id, userIdOf(ctx)));
  if (membership?.role !== 'owner') throw forbidden('Only owners of the home workspace may do this.');
}
