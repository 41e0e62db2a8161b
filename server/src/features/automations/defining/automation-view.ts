import type { Ctx } from '#platform/http/context.ts';
import type { Automation } from '../automation.ts';
import { countRunsOf } from '../counts-queries.ts';
import { shownSecret } from '../webhook-secret.ts';

type Asking = Pick<Ctx, 'db' | 'workspaceId' | 'secrets' | 'actor'>;

/** The records of a page of automations, with their figures. */
export async function automationViews(ctx: Asking, automations: readonly Automation[]) {
  const countsOf = await countRunsOf(
    ctx.db,
    ctx.workspaceId,
    automations.map(({ id }) => id),
  );
  return automations.map(({ workspaceId, id, name, status, version, definition, createdAt, updatedAt }) => ({
    id,
    name,
    status,
    version,
    ...definition,
    webhook_secret: definition.steps.some(({ type }) => type === 'webhook')
      ? shownSecret(ctx, { workspaceId, id })
      : null,
    stats: countsOf(id),
    created_at: createdAt,
    updated_at: updatedAt,
  }));
}

export async function automationView(ctx: Asking, automation: Automation) {
  const [view] = await automationViews(ctx, [automation]);
  if (view === undefined) throw new Error('an automation has no view');
  return view;
}
