import { newslettersOfKey } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import type { Automation } from '../automation.ts';
import { findAutomation, lockAutomation } from './queries.ts';

type Asking = Pick<Ctx, 'db' | 'workspaceId' | 'actor'>;

/** The automation, or 404: not there, another workspace's, or of a newsletter that the caller's key may not use. */
export async function getAutomation(ctx: Asking, id: string): Promise<Automation> {
  return found(isUuid(id) ? await findAutomation(ctx.db, asked(ctx, id)) : undefined, id);
}

/** The same, held until the transaction ends. */
export async function getLockedAutomation(ctx: Asking, tx: Db, id: string): Promise<Automation> {
  return found(isUuid(id) ? await lockAutomation(tx, asked(ctx, id)) : undefined, id);
}

export const asked = ({ workspaceId, actor }: Asking, id: string) => ({
  workspaceId,
  id,
  newsletterIds: newslettersOfKey(actor),
});

function found(automation: Automation | undefined, id: string): Automation {
  if (automation === undefined) throw notFound('automation', id);
  return automation;
}
