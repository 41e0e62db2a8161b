import type { Ctx } from '#platform/http/context.ts';
import type { Automation } from '../automation.ts';
import { countRunsOf } from '../counts-queries.ts';

/** The records of a page of automations, with their figures. */
export async function automationViews(ctx: Pick<Ctx, 'db' | 'workspaceId'>, automations: readonly Automation[]) {
  const countsOf = await countRunsOf(
    ctx.db,
    ctx.workspaceId,
    automations.map(({ id }) => id),
  );
  return automations.map(({ id, name, status, version, definition, createdAt, updatedAt }) => ({
    id,
    name,
    status,
    version,
    ...definition,
    stats: countsOf(id),
    created_at: createdAt,
    updated_at: updatedAt,
  }));
}

export async function automationView(ctx: Pick<Ctx, 'db' | 'workspaceId'>, automation: Automation) {
  const [view] = await automationViews(ctx, [automation]);
  if (view === undefined) throw new Error('an automation has no view');
  return view;
}
