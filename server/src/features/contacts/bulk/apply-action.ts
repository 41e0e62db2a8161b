import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Contact } from '../contact.ts';
import { describe } from '../contact-input.ts';
import { addKept } from '../lists/change-members.ts';
import { deleteMembers } from '../lists/member-queries.ts';
import { lockByIds, updateContacts } from '../queries.ts';
import { removeHeld } from '../remove-contacts.ts';
import type { Action } from './bulk-job.ts';
import { aroundContacts, type BulkChange } from './change-queries.ts';

/** A page of a job: `db` is its transaction. */
export type PageCtx = Pick<Ctx, 'db' | 'workspaceId' | 'secrets'> & { at: Date };

/** Does an action to these contacts, and returns those whom it changed, with all that an undo needs. */
export async function applyAction(ctx: PageCtx, action: Action, ids: readonly string[]): Promise<BulkChange[]> {
  const contacts = await lockByIds(ctx.db, ctx.workspaceId, ids);
  switch (action.type) {
    case 'add_to_list':
      return among(contacts, await addKept(ctx, action.list_id ?? '', contacts));
    case 'remove_from_list': {
      const list = { workspaceId: ctx.workspaceId, listId: action.list_id ?? '' };
      return among(contacts, await deleteMembers(ctx.db, list, { ids }));
    }
    case 'unsubscribe':
      return unsubscribe(ctx, contacts);
    case 'update':
      return update(ctx, contacts, action.set ?? {});
    case 'delete':
      return remove(ctx, contacts);
    default:
      return action.type satisfies never;
  }
}

const changeOf = ({ id, email }: Contact, before: object = {}): BulkChange => ({ contactId: id, email, before });

function among(contacts: readonly Contact[], ids: readonly string[]): BulkChange[] {
  const wanted = new Set(ids);
  return contacts.filter(({ id }) => wanted.has(id)).map((contact) => changeOf(contact));
}

async function unsubscribe({ db, workspaceId, at }: PageCtx, contacts: readonly Contact[]): Promise<BulkChange[]> {
  const mailed = contacts.filter(({ unsubscribedAt }) => unsubscribedAt === null);
  await updateContacts(
    db,
    workspaceId,
    mailed.map((contact) => ({ ...contact, unsubscribedAt: at, updatedAt: at })),
  );
  return mailed.map((contact) => changeOf(contact));
}

/** A contact whose properties would be too many stays as it was. */
async function update(
  { db, workspaceId, at }: PageCtx,
  contacts: readonly Contact[],
  set: NonNullable<Action['set']>,
): Promise<BulkChange[]> {
  const changed = contacts.flatMap((before) => {
    const after = described(before, set);
    return after === undefined || JSON.stringify(after) === JSON.stringify(before) ? [] : [{ before, after }];
  });
  await updateContacts(
    db,
    workspaceId,
    changed.map(({ after }) => ({ ...after, updatedAt: at })),
  );
  return changed.map(({ before }) => changeOf(before, before));
}

function described(before: Contact, set: NonNullable<Action['set']>): Contact | undefined {
  try {
    return { ...before, ...describe(before, set) };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function remove(ctx: PageCtx, contacts: readonly Contact[]): Promise<BulkChange[]> {
  const { db, workspaceId, secrets, at } = ctx;
  const around = await aroundContacts(
    db,
    workspaceId,
    contacts.map(({ id }) => id),
  );
  await removeHeld(db, secrets, contacts, { workspaceId, at, erase: false });
  return contacts.map((contact) => changeOf(contact, { ...contact, ...around.get(contact.id) }));
}
