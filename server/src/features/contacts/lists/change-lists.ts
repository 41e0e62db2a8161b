import type { Static } from 'typebox';
import { removeTransfersOf } from '#features/transfers';
import { recordSecurityEvent } from '#features/workspaces';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid, newId } from '#platform/ids.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import { type ContactList, LISTS_MAX } from './list.ts';
import { countLists, deleteList, findList, insertList, lockCreation, lockList, updateList } from './queries.ts';
import type { CreateListBody, UpdateListBody } from './schemas.ts';

export async function getList(ctx: Pick<Ctx, 'db' | 'workspaceId'>, id: string): Promise<ContactList> {
  return found(isUuid(id) ? await findList(ctx.db, ctx.workspaceId, id) : undefined, id);
}

/** The same, held until the transaction ends. */
export async function getLockedList({ workspaceId }: Pick<Ctx, 'workspaceId'>, tx: Db, id: string) {
  return found(isUuid(id) ? await lockList(tx, workspaceId, id) : undefined, id);
}

function found(list: ContactList | undefined, id: string): ContactList {
  if (list === undefined) throw notFound('list', id);
  return list;
}

/** Throws 409 when the workspace has as many as it may. */
export async function createList(ctx: Ctx, input: Static<typeof CreateListBody>): Promise<ContactList> {
  return inTransaction(ctx.db, async (tx) => {
    await lockCreation(tx, ctx.workspaceId);
    if ((await countLists(tx, ctx.workspaceId, null)) >= LISTS_MAX) {
      throw conflict(`A workspace has at most ${LISTS_MAX} lists. Delete one first.`);
    }
    const now = ctx.clock.now();
    const list: ContactList = {
      workspaceId: ctx.workspaceId,
      id: newId(),
      name: input.name,
      description: input.description ?? null,
      contactCount: 0,
      createdAt: now,
      updatedAt: now,
    };
    await insertList(tx, list);
    await noteList(ctx, tx, list, { action: 'created' });
    return list;
  });
}

/** Changes what is given and nothing else. */
export async function changeList(ctx: Ctx, id: string, input: Static<typeof UpdateListBody>): Promise<ContactList> {
  return inTransaction(ctx.db, async (tx) => {
    const before = await getLockedList(ctx, tx, id);
    const description = input.description === undefined ? before.description : input.description;
    const after = { ...before, name: input.name ?? before.name, description };
    const changes = changedFields<ContactList>(before, after, ['name', 'description']);
    if (changes === null) return before;
    const changed = { ...after, updatedAt: ctx.clock.now() };
    await updateList(tx, changed);
    await noteList(ctx, tx, changed, { action: 'updated', details: { changes } });
    return changed;
  });
}

/** Its contacts stay, without it. */
export async function removeList(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const list = await getLockedList(ctx, tx, id);
    await removeTransfersOf(tx, { workspaceId: ctx.workspaceId, type: 'list', id: list.id });
    await deleteList(tx, ctx.workspaceId, list.id);
    await noteList(ctx, tx, list, { action: 'deleted', details: { contacts: list.contactCount } });
  });
}

const noteList = (
  ctx: Ctx,
  tx: Db,
  { id, name }: ContactList,
  { action, details = {} }: { action: string; details?: Record<string, unknown> },
): Promise<void> =>
  recordSecurityEvent(tx, ctx, {
    action: `contact_list.${action}`,
    targetType: 'contact_list',
    targetId: id,
    details: { name, ...details },
  });
