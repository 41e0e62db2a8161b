import { isDeepStrictEqual } from 'node:util';
import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Automation, Definition } from '../automation.ts';
import type { AutomationsWiring } from '../wiring.ts';
import { checkDefinition, checkReady } from './check-definition.ts';
import { type DefinitionInput, nextDefinition } from './definition-input.ts';
import { getLockedAutomation } from './get-automation.ts';
import { noteAutomation } from './note-automation.ts';
import { insertVersion, markDeleted, updateAutomation } from './queries.ts';

const FIELDS: readonly (keyof Definition)[] = ['trigger', 'reentry', 'correlation', 'exit_on', 'goal', 'steps'];

/**
 * Makes the next version of what is given, when that changes anything of the definition; runs stay on theirs. An
 * enabled automation is checked as when it is enabled.
 */
export async function changeAutomation(
  ctx: Ctx,
  id: string,
  input: DefinitionInput & { name?: string },
  ports: Pick<AutomationsWiring, 'missingNewsletters'>,
): Promise<Automation> {
  return inTransaction(ctx.db, async (tx) => {
    const current = await getLockedAutomation(ctx, tx, id);
    const definition = await checkDefinition(ctx, tx, nextDefinition(input, current.definition), ports);
    // The database does not keep the order of fields.
    const changed = FIELDS.filter((field) => !isDeepStrictEqual(current.definition[field], definition[field]));
    const isChanged = changed.length > 0;
    const name = input.name ?? current.name;
    if (!isChanged && name === current.name) return current;
    const version = isChanged ? current.version + 1 : current.version;
    const next = { ...current, name, version, definition, updatedAt: ctx.clock.now() };
    if (isChanged && next.status === 'enabled') await checkReady(ctx, tx, definition);
    if (isChanged) await insertVersion(tx, next, ctx.actor.id);
    await updateAutomation(tx, next);
    const details = {
      version,
      ...(name === current.name ? {} : { changes: { name: { before: current.name, after: name } } }),
    };
    await noteAutomation(ctx, tx, next, {
      action: 'updated',
      details: isChanged ? { ...details, fields: changed } : details,
    });
    return next;
  });
}

/** Lets people in, and held runs go on; or keeps people out, and holds the runs where they are. */
export async function switchAutomation(ctx: Ctx, id: string, status: Automation['status']): Promise<Automation> {
  return inTransaction(ctx.db, async (tx) => {
    const current = await getLockedAutomation(ctx, tx, id);
    if (current.status === status) return current;
    if (status === 'enabled') await checkReady(ctx, tx, current.definition);
    const next = { ...current, status, updatedAt: ctx.clock.now() };
    await updateAutomation(tx, next);
    await noteAutomation(ctx, tx, next, { action: status, details: { version: next.version } });
    return next;
  });
}

/** Nothing of it goes on. Its runs and their records are removed within the hour. */
export async function removeAutomation(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const current = await getLockedAutomation(ctx, tx, id);
    await markDeleted(tx, current);
    await noteAutomation(ctx, tx, current, { action: 'deleted' });
  });
}
