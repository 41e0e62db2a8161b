import { hashOfAddress } from '#features/consents';
import type { Contact } from '../contact.ts';
import { addKept } from '../lists/change-members.ts';
import { deleteMembers } from '../lists/member-queries.ts';
import { missingLists } from '../lists/queries.ts';
import { listOptOuts } from '../opt-outs/opt-out-queries.ts';
import { insertContacts, lockByIds, updateContacts } from '../queries.ts';
import type { PageCtx } from './apply-action.ts';
import type { Action } from './bulk-job.ts';
import { type BulkChange, restoreAround } from './change-queries.ts';

type Made = BulkChange & { changedAt: Date };

/**
 * Undoes changes of a job, as far as nothing has happened to the contacts since. It never makes anybody be mailed who
 * has opted out meanwhile, or was before. Returns how many contacts are as they were.
 */
export async function undoChanges(ctx: PageCtx, action: Action, changes: readonly Made[]): Promise<number> {
  switch (action.type) {
    case 'add_to_list': {
      const list = { workspaceId: ctx.workspaceId, listId: action.list_id ?? '' };
      return (await deleteMembers(ctx.db, list, { ids: changes.map(({ contactId }) => contactId) })).length;
    }
    case 'remove_from_list':
      return addAgain(ctx, action.list_id ?? '', changes);
    case 'unsubscribe':
      return subscribeAgain(ctx, changes);
    case 'update':
      return describeAsBefore(ctx, changes);
    case 'delete':
      return restore(ctx, changes);
    default:
      return action.type satisfies never;
  }
}

const held = (ctx: PageCtx, changes: readonly BulkChange[]): Promise<Contact[]> =>
  lockByIds(
    ctx.db,
    ctx.workspaceId,
    changes.map(({ contactId }) => contactId),
  );

async function addAgain(ctx: PageCtx, listId: string, changes: readonly Made[]): Promise<number> {
  if ((await missingLists(ctx.db, ctx.workspaceId, [listId])).size > 0) return 0;
  return (await addKept(ctx, listId, await held(ctx, changes))).length;
}

/** The changes of those who opted out themselves have been forgotten (`forgetChanges`). */
async function subscribeAgain(ctx: PageCtx, changes: readonly Made[]): Promise<number> {
  const times = new Map(changes.map(({ contactId, changedAt }) => [contactId, changedAt.getTime()]));
  const contacts = (await held(ctx, changes)).filter(
    ({ id, unsubscribedAt }) => unsubscribedAt?.getTime() === times.get(id),
  );
  const subscribed = contacts.map((contact) => ({ ...contact, unsubscribedAt: null, updatedAt: ctx.at }));
  await updateContacts(ctx.db, ctx.workspaceId, subscribed);
  return subscribed.length;
}

async function describeAsBefore(ctx: PageCtx, changes: readonly Made[]): Promise<number> {
  const made = new Map(changes.map((change) => [change.contactId, change]));
  const untouched = (await held(ctx, changes)).flatMap((contact) => {
    const change = made.get(contact.id);
    if (change === undefined || contact.updatedAt.getTime() !== change.changedAt.getTime()) return [];
    const { firstName, lastName, name, properties, timezone, language } = change.before as Contact; // as it was stored
    return [{ ...contact, firstName, lastName, name, properties, timezone, language, updatedAt: ctx.at }];
  });
  await updateContacts(ctx.db, ctx.workspaceId, untouched);
  return untouched.length;
}

/** The content of a change that deleted a contact: the row and what went with it, with times as texts. */
type Deleted = Contact & Parameters<typeof restoreAround>[2][number];

/** An address that somebody else has now is theirs, and a person who asked to be forgotten stays so. */
async function restore(ctx: PageCtx, changes: readonly Made[]): Promise<number> {
  const hashes = new Map(changes.map(({ email }) => [hashOfAddress(ctx.secrets, email).toString('hex'), email]));
  const kept = await listOptOuts(
    ctx.db,
    ctx.workspaceId,
    [...hashes.keys()].map((hash) => Buffer.from(hash, 'hex')),
  );
  const optOuts = new Map(kept.map((one) => [hashes.get(one.addressHash.toString('hex')), one]));
  const deleted = changes.flatMap((change) => {
    const before = change.before as Deleted; // as it was stored
    const optOut = optOuts.get(change.email);
    if (optOut?.erased === true) return [];
    const unsubscribedAt = before.unsubscribedAt ?? optOut?.unsubscribedAt ?? null;
    return [{ ...before, contactId: change.contactId, unsubscribedAt }];
  });
  const back = new Set(await insertContacts(ctx.db, ctx.workspaceId, deleted));
  await restoreAround(
    ctx.db,
    ctx.workspaceId,
    deleted.filter(({ email }) => back.has(email)),
  );
  return back.size;
}
