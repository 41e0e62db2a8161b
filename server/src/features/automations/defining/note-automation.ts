import { recordSecurityEvent } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Automation } from '../automation.ts';

/** The audit entry, in the transaction of the change. Steps are not repeated in it: every version stays readable. */
export const noteAutomation = (
  ctx: Ctx,
  tx: Db,
  { id, name }: Pick<Automation, 'id' | 'name'>,
  { action, details = {} }: { action: string; details?: Record<string, unknown> },
): Promise<void> =>
  recordSecurityEvent(tx, ctx, {
    action: `automation.${action}`,
    targetType: 'automation',
    targetId: id,
    details: { name, ...details },
  });
