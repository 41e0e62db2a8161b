import { hashOfAddress } from '#features/consents';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { applyAction, type PageCtx } from '../bulk/apply-action.ts';
import type { Action } from '../bulk/bulk-job.ts';
import type { Contact } from '../contact.ts';
import { NO_DESCRIPTION } from '../contact-input.ts';
import { getList } from '../lists/change-lists.ts';
import { endMemberships } from '../lists/member-queries.ts';
import { listOptOuts } from '../opt-outs/opt-out-queries.ts';
import { declareProperties } from '../properties/declare-properties.ts';
import { checkProperties, type GivenProperties } from '../properties/property-types.ts';
import { insertContacts, lockByEmail } from '../queries.ts';

/** A change of contacts that a rule of the workspace makes. */
export type RuledAct =
  | { type: 'update'; properties: GivenProperties }
  | { type: 'add_to_list' | 'remove_from_list'; listId: string }
  | { type: 'leave_list'; listId: string };

/**
 * Does the same to a page of people, by the identities of their addresses, for a feature that follows rules of the
 * workspace. `update` and `add_to_list` make contacts of those who are none. It brings nobody back, and announces
 * nothing, so that two rules cannot answer each other for ever. Throws not found for a list, 422 for a property of
 * another type; then nothing has changed. Returns the addresses of those whom it changed.
 */
export async function actOnPeople(ctx: PageCtx, act: RuledAct, emails: readonly string[]): Promise<Set<string>> {
  if (act.type === 'update') await judgeProperties(ctx, act.properties);
  else await getList(ctx, act.listId);
  const makes = act.type === 'update' || act.type === 'add_to_list';
  const contacts = makes ? await ensureContacts(ctx, emails) : await lockByEmail(ctx.db, ctx.workspaceId, emails);
  const ids = contacts.map(({ id }) => id);
  if (act.type === 'leave_list') {
    const left = new Set(await endMemberships(ctx.db, { ...ctx, listId: act.listId }, { contactIds: ids, at: ctx.at }));
    return new Set(contacts.filter(({ id }) => left.has(id)).map(({ email }) => email));
  }
  const changes = await applyAction(ctx, actionOf(act), ids);
  return new Set(changes.map(({ email }) => email));
}

const actionOf = (act: Exclude<RuledAct, { type: 'leave_list' }>): Action =>
  act.type === 'update'
    ? { type: 'update', set: { properties: { ...act.properties } } }
    : { type: act.type, list_id: act.listId };

/** Throws for properties that no contact of the workspace can have; declares keys that are new. */
export async function judgeProperties(
  ctx: Pick<PageCtx, 'db' | 'workspaceId'> & { at: Date },
  properties: GivenProperties,
): Promise<void> {
  checkProperties(properties);
  const { db, workspaceId, at } = ctx;
  const [fault] = await declareProperties({ db, workspaceId, clock: { now: () => at } }, [properties]);
  if (fault != null) throw fault;
}

/**
 * The contacts with these addresses, held; those who are not there are added, and announced to nobody. An address that
 * had left comes back as one that has left, and an erased one does not come back.
 */
export async function ensureContacts(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'secrets'> & { at: Date },
  emails: readonly string[],
): Promise<Contact[]> {
  const { db, workspaceId, secrets, at } = ctx;
  const wanted = [...new Set(emails)];
  const held = await lockByEmail(db, workspaceId, wanted);
  const there = new Set(held.map(({ email }) => email));
  const added = wanted.filter((email) => !there.has(email));
  if (added.length === 0) return held;
  const hashes = new Map(added.map((email) => [hashOfAddress(secrets, email).toString('hex'), email]));
  const kept = await listOptOuts(
    db,
    workspaceId,
    [...hashes.keys()].map((hash) => Buffer.from(hash, 'hex')),
  );
  const optOuts = new Map(kept.map((one) => [hashes.get(one.addressHash.toString('hex')), one]));
  await insertContacts(
    db,
    workspaceId,
    added.flatMap((email): Contact[] => {
      const optOut = optOuts.get(email);
      if (optOut?.erased === true) return [];
      const unsubscribedAt = optOut?.unsubscribedAt ?? null;
      const times = { unsubscribedAt, createdAt: at, updatedAt: at };
      return [{ ...NO_DESCRIPTION, workspaceId, id: newId(), email, ...times }];
    }),
  );
  return lockByEmail(db, workspaceId, wanted);
}
