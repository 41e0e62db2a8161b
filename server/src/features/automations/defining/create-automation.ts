import { type Db, inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { type Automation, AUTOMATIONS_MAX, type Definition } from '../automation.ts';
import type { AutomationsWiring } from '../wiring.ts';
import { checkDefinition } from './check-definition.ts';
import { type DefinitionInput, nextDefinition } from './definition-input.ts';
import { getAutomation } from './get-automation.ts';
import { noteAutomation } from './note-automation.ts';
import { countAutomations, insertAutomation, insertVersion, lockCreation } from './queries.ts';

type Ports = Pick<AutomationsWiring, 'missingNewsletters'>;
type NewAutomation = DefinitionInput & Pick<Definition, 'trigger' | 'steps'> & { name: string };

/** Makes an automation with its first version, disabled. 409: the workspace has as many as it may. */
export const createAutomation = (ctx: Ctx, input: NewAutomation, ports: Ports): Promise<Automation> =>
  inTransaction(ctx.db, (tx) => insertNew(ctx, tx, input.name, nextDefinition(input, input), ports));

/** Makes another one of the newest version, disabled. */
export const duplicateAutomation = (
  ctx: Ctx,
  id: string,
  given: { name?: string },
  ports: Ports,
): Promise<Automation> =>
  inTransaction(ctx.db, async (tx) => {
    const from = await getAutomation({ ...ctx, db: tx }, id);
    const name = given.name ?? `Copy of ${from.name}`.slice(0, 200).toWellFormed();
    return insertNew(ctx, tx, name, from.definition, ports);
  });

async function insertNew(ctx: Ctx, tx: Db, name: string, definition: Definition, ports: Ports): Promise<Automation> {
  const { workspaceId, clock, actor } = ctx;
  await lockCreation(tx, workspaceId);
  if ((await countAutomations(tx, workspaceId, { status: null, search: null, newsletterIds: [] })) >= AUTOMATIONS_MAX) {
    throw conflict(`A workspace has at most ${AUTOMATIONS_MAX} automations. Delete one first.`);
  }
  const now = clock.now();
  const automation: Automation = {
    workspaceId,
    id: newId(),
    name,
    status: 'disabled',
    version: 1,
    definition: await checkDefinition(ctx, tx, definition, ports),
    createdAt: now,
    updatedAt: now,
  };
  await insertAutomation(tx, automation);
  await insertVersion(tx, automation, actor.id);
  await noteAutomation(ctx, tx, automation, { action: 'created', details: { trigger: definition.trigger.type } });
  return automation;
}
