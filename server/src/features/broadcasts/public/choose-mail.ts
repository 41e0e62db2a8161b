import { changeContact, listMemberships, optOutAddress, rejoinList, unsubscribeContact } from '#features/contacts';
import { bulkSends } from '#features/outbox';
import { contactChoicesPage, reloadable } from '#features/reader-pages';
import { inTransaction } from '#platform/db/database.ts';
import { AppError, invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Visitor } from '#platform/http/visitor.ts';
import { isUuid } from '#platform/ids.ts';
import { findPerson, hasLeft, type LinkedContact, openContactLink } from './linked-contact.ts';

const DAY_MS = 86_400_000;

/** The page of the link in mail to a contact. A visit changes nothing, whoever makes it. */
export async function followContactLink(ctx: Ctx, visitor: Visitor, token: string, done?: string) {
  return showChoices(await openContactLink(ctx, token, visitor), { saved: done === SAVED });
}

/** In the address of the page that a button led to, so that it says that the choice was kept. */
const SAVED = 'saved';

/**
 * One click of a mail program (RFC 8058), or a button of the page: takes effect before its answer. One click leaves all
 * mail to many of the workspace: the person cannot say which, and must not get more (decision 0136).
 */
export async function pressContactLink(ctx: Ctx, visitor: Visitor, token: string, fields: unknown) {
  const linked = await openContactLink(ctx, token, visitor);
  const given = new Map(typeof fields === 'object' && fields !== null ? Object.entries(fields) : []);
  if (given.get('List-Unsubscribe') === 'One-Click') {
    await leave(linked);
    return showChoices(await again(linked));
  }
  const pressed = given.get('action');
  await act(linked, pressed);
  // Leaving all mail has a title and a sentence of its own.
  const saved = pressed !== 'everywhere';
  const location = saved ? `${linked.action}&done=${SAVED}` : linked.action;
  return reloadable(visitor, location, await showChoices(await again(linked), { saved }));
}

async function act(linked: LinkedContact, pressed: unknown): Promise<void> {
  const [action = '', id = ''] = typeof pressed === 'string' ? pressed.split(':', 2) : [];
  switch (action) {
    case 'everywhere':
      return leave(linked);
    case 'undo':
      return undo(linked);
    case 'leave':
    case 'rejoin':
      return changeList(linked, action, id);
    default:
      throw invalid('List-Unsubscribe', 'The body must be List-Unsubscribe=One-Click.');
  }
}

/** Somebody may be deleted between the reading of a link and what it does, and has the right to leave then, too. */
async function leave(linked: LinkedContact): Promise<void> {
  try {
    await leaveOnce(linked);
  } catch (error) {
    if (!(error instanceof AppError) || error.name !== 'not_found_error' || linked.contact === undefined) throw error;
    await leaveOnce({ ...linked, contact: undefined });
  }
}

/**
 * The contact leaves, and so does the address that the link was mailed to, when it is not the contact's any more.
 * Counted in the statistics of the broadcast whose email had the link.
 */
async function leaveOnce({ ctx, contact, email, claims, broadcast }: LinkedContact): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const former = { contactId: claims.contactId, email };
    const isNewlyOut = contact?.email === email ? false : await optOutAddress(inside, former);
    if (contact !== undefined) await unsubscribeContact(inside, contact.id, null);
    const isNew = contact === undefined ? isNewlyOut : contact.unsubscribedAt === null;
    if (isNew) await count(inside, broadcast?.sendId ?? null, claims.contactId, 1);
  });
}

/** Within a day it is as if they had not left. */
async function undo({ ctx, contact, claims, broadcast }: LinkedContact): Promise<void> {
  if (contact === undefined || !isRecent(ctx, contact.unsubscribedAt)) return;
  await inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    await changeContact(inside, contact.id, { unsubscribed: false });
    await count(inside, broadcast?.sendId ?? null, claims.contactId, -1);
  });
}

async function count(ctx: Ctx, sendId: string | null, subscriberId: string, change: 1 | -1): Promise<void> {
  if (sendId === null) return;
  const { db, workspaceId, clock } = ctx;
  await bulkSends.countUnsubscribed(db, { workspaceId, sendId, subscriberId }, { change, at: clock.now() });
}

/** Of a contact who is gone nobody knows the lists: to leave one is to leave all mail. */
async function changeList(linked: LinkedContact, action: 'leave' | 'rejoin', listId: string): Promise<void> {
  const { ctx, contact } = linked;
  if (contact === undefined) return action === 'leave' ? leave(linked) : undefined;
  const lists = isUuid(listId) ? await listMemberships(ctx.db, ctx.workspaceId, contact.id) : [];
  // A list that they were never on is as unknown as none.
  if (!lists.some(({ id }) => id === listId)) throw new AppError('not_found_error', 'There is no such list.');
  if (action === 'leave') await unsubscribeContact(ctx, contact.id, listId);
  else await rejoinList(ctx, contact.id, { listId, since: new Date(ctx.clock.now().getTime() - DAY_MS) });
}

const isRecent = ({ clock }: Ctx, at: Date | null): boolean =>
  at !== null && clock.now().getTime() - at.getTime() < DAY_MS;

/** As they are now. */
async function again(linked: LinkedContact): Promise<LinkedContact> {
  return { ...linked, ...(await findPerson(linked.ctx, linked.claims)) };
}

async function showChoices(linked: LinkedContact, { saved }: { saved: boolean } = { saved: false }) {
  const { ctx, contact, email, page, action } = linked;
  const lists = contact === undefined ? [] : await listMemberships(ctx.db, ctx.workspaceId, contact.id);
  return contactChoicesPage(page, {
    action,
    saved,
    email: contact?.email ?? email ?? '',
    hasLeft: await hasLeft(linked),
    mayUndo: isRecent(ctx, contact?.unsubscribedAt ?? null),
    lists: lists.map(({ id, name, unsubscribedAt }) => ({
      id,
      name,
      isOn: unsubscribedAt === null,
      mayRejoin: isRecent(ctx, unsubscribedAt),
    })),
  });
}
