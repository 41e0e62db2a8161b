import type { Static } from 'typebox';
import { hashOfAddress } from '#features/consents';
import { identityOf } from '#mail/addresses/addresses.ts';
import { readAddress } from '#mail/addresses/read-address.ts';
import { inTransaction } from '#platform/db/database.ts';
import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { eachItem, readEach } from '#platform/http/fields/read-meaning.ts';
import { getList, getLockedList } from './change-lists.ts';
import { deleteMembers, insertMembers, keepContacts, listOptOutsOfList, type NamedContacts } from './member-queries.ts';
import { tellJoined } from '../news/tell-of-contacts.ts';
import type { MembersBody } from './schemas.ts';

type Members = Static<typeof MembersBody>;

const FAULTS_LISTED_MAX = 100;

export const readMembers = readEach<typeof MembersBody>(
  { emails: eachItem((email: string, index) => readAddress(email, `emails[${index}]`), FAULTS_LISTED_MAX) },
  [{ of: ['contact_ids', 'emails'], check: requireOne }],
);

function requireOne({ contact_ids, emails }: Partial<Members>): void {
  if (contact_ids === undefined && emails === undefined) throw invalid('contact_ids', 'contact_ids is required');
  if (contact_ids !== undefined && emails !== undefined) {
    throw invalid('emails', 'Give contact_ids or emails, not both');
  }
}

const namedIn = ({ contact_ids, emails = [] }: Members): NamedContacts =>
  contact_ids === undefined
    ? { emails: [...new Set(emails.map((email) => identityOf(email.trim())))] }
    : { ids: [...new Set(contact_ids)] };

/** Adds contacts to a list. One who left it stays off it, also when the contact was deleted and came back. */
export async function addMembers(ctx: Ctx, id: string, given: Members) {
  const named = namedIn(given);
  return inTransaction(ctx.db, async (tx) => {
    await getList({ ...ctx, db: tx }, id);
    const contacts = await keepContacts(tx, ctx.workspaceId, named);
    const added = await addKept({ ...ctx, db: tx }, id, contacts);
    await tellJoined(tx, { ...ctx, listId: id }, contacts, added);
    return { added: added.length, skipped: contacts.length - added.length, not_found: missing(named, contacts) };
  });
}

/** The same for contacts that the transaction keeps. Returns those who are on the list by it. */
export async function addKept(
  { db: tx, workspaceId, secrets }: Pick<Ctx, 'db' | 'workspaceId' | 'secrets'>,
  id: string,
  contacts: readonly { id: string; email: string }[],
): Promise<string[]> {
  await getLockedList({ workspaceId }, tx, id);
  const list = { workspaceId, listId: id };
  const hashed = contacts.map((contact) => ({ ...contact, hash: hashOfAddress(secrets, contact.email) }));
  const optOuts = await listOptOutsOfList(
    tx,
    list,
    hashed.map(({ hash }) => hash),
  );
  const leftAt = new Map(optOuts.map((one) => [one.addressHash.toString('hex'), one.unsubscribedAt]));
  const members = hashed.map((contact) => ({
    contactId: contact.id,
    unsubscribedAt: leftAt.get(contact.hash.toString('hex')) ?? null,
  }));
  return insertMembers(tx, list, members);
}

function missing(named: NamedContacts, found: readonly { id: string; email: string }[]): string[] {
  const there = new Set(found.flatMap(({ id, email }) => ('ids' in named ? id : email)));
  return ('ids' in named ? named.ids : named.emails).filter((name) => !there.has(name));
}

/** Takes contacts off a list. One who left it stays known as such. Returns how many were removed. */
export async function removeMembers(ctx: Ctx, id: string, given: Members): Promise<number> {
  return inTransaction(ctx.db, async (tx) => {
    await getLockedList(ctx, tx, id);
    return (await deleteMembers(tx, { workspaceId: ctx.workspaceId, listId: id }, namedIn(given))).length;
  });
}
