import { judgeProperties, listMissingOfAudience } from '#features/contacts';
import type { Db } from '#platform/db/database.ts';
import { AppError, forbidden, unacceptable } from '#platform/errors/app-error.ts';
import type { Faults } from '#platform/errors/faults.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Definition, Step, Trigger } from '../automation.ts';
import { CONTACT_STEPS } from '../step-fields.ts';

/** Notes lists that are not there, and properties that no contact can have. Keys that are new are declared. */
export async function checkContactSteps(
  ctx: Ctx,
  tx: Db,
  { steps }: Definition,
  triggers: readonly [string, Trigger | null][],
  faults: Faults,
): Promise<void> {
  const named = [
    ...triggers.map(([at, trigger]) => ({ at, id: trigger?.list_id ?? null })),
    ...steps.map(({ config }, index) => ({ at: `steps[${index}].config`, id: config.list_id ?? null })),
  ].flatMap(({ at, id }) => (id === null ? [] : [{ at, id }]));
  const listIds = named.map(({ id }) => id);
  const missing =
    named.length === 0 ? [] : (await listMissingOfAudience(tx, ctx.workspaceId, { listIds, contactIds: [] })).listIds;
  for (const { at, id } of named) {
    if (missing.includes(id)) faults.unacceptable(`${at}.list_id`, `There is no list ${id} in this workspace.`);
  }
  for (const [index, { config }] of steps.entries()) {
    const { properties } = config;
    if (properties !== undefined) await faults.collect(() => checkProperties(ctx, tx, properties, `steps[${index}]`));
  }
}

async function checkProperties(ctx: Ctx, tx: Db, properties: Record<string, unknown>, at: string): Promise<void> {
  try {
    await judgeProperties({ db: tx, workspaceId: ctx.workspaceId, at: ctx.clock.now() }, properties);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw unacceptable(`${at}.config.${error.extras.param ?? 'properties'}`, error.message);
  }
}

/** An automation changes nothing that the caller who lets it run may not change. */
export function requireChanging({ actor }: Ctx, steps: readonly Step[]): void {
  const changing = steps.filter(({ type }) => CONTACT_STEPS.some((known) => known === type));
  const scopes = changing.map(({ config }) =>
    config.newsletter_id === undefined ? ('contacts:write' as const) : ('subscribers:write' as const),
  );
  const missing = scopes.find((scope) => !actor.may(scope));
  if (missing !== undefined) throw forbidden(`This changes contacts or subscribers: it needs the scope "${missing}".`);
}
