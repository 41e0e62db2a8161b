import { type Notice, preferencesPage, reloadable } from '#features/reader-pages';
import { AppError, invalid, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { selectNewsletter } from '../../queries.ts';
import { changeSubscriber } from '../../subscribers/change-subscriber.ts';
import { signUp } from '../../subscribers/joining/sign-up.ts';
import { readAddress } from '#mail/addresses/read-address.ts';
import { readPublicName } from '#platform/pages/typed-name.ts';
import type { Subscriber } from '../../subscribers/subscriber.ts';
import { statusToRestore, undoUnsubscribe } from '../../subscribers/leaving/undo-unsubscribe.ts';
import { unsubscribeEverywhere } from '../../subscribers/leaving/unsubscribe-everywhere.ts';
import { unsubscribeSubscriber } from '../../subscribers/leaving/unsubscribe-subscriber.ts';
import { type Linked, openLink, proofOf, workspaceNameOf } from './linked.ts';
import { pageContext } from '../pages/page-context.ts';
import { tokenLink } from '../pages/page-links.ts';
import { listSubscriptions } from './preferences-queries.ts';
import { sendDataLink } from './send-data-link.ts';
import type { Visitor } from '#platform/http/visitor.ts';
import { ownEntry } from '#platform/own-entry.ts';

/**
 * The data that a person may see and change about themselves, on every list of the workspace that they are or were
 * on.
 */
export const followPreferences = async (ctx: Ctx, token: string, done?: string) =>
  showPreferences(await openLink(ctx, 'nl_prefs', token), done === undefined ? {} : (ownEntry(NOTICES, done) ?? {}));

/** The result of a button, in the address of the page that it led to. */
const NOTICES: Readonly<Record<string, Notice>> = { saved: { saved: true }, sent: { data: 'sent' } };

export interface PressedPreferences {
  action?: unknown;
  name?: unknown;
}

/** A button of that page was pressed. Nothing but what they know changes anything: 400. */
export async function pressPreferences(ctx: Ctx, visitor: Visitor, token: string, fields: PressedPreferences) {
  const linked = await openLink(ctx, 'nl_prefs', token);
  const shown = await act(linked, visitor, fields);
  const at = tokenLink(pageContext(ctx.settings, linked.newsletter), 'nl_prefs', token);
  const done = fields.action === 'save' ? '&done=saved' : fields.action === 'data' ? '&done=sent' : '';
  return reloadable(visitor, at + done, shown);
}

async function act(linked: Linked, visitor: Visitor, fields: PressedPreferences) {
  const [action = '', id = ''] = typeof fields.action === 'string' ? fields.action.split(':', 2) : [];
  switch (action) {
    case 'save':
      return save(linked, fields.name);
    case 'unsubscribe':
      await leave(linked, linked.subscriber, visitor);
      return showPreferences(linked);
    case 'undo':
      await rejoin(linked, linked.subscriber, visitor);
      return showPreferences(linked);
    case 'leave':
      await leave(linked, await ownList(linked, id), visitor);
      return showPreferences(linked);
    case 'rejoin':
      await rejoin(linked, await ownList(linked, id), visitor);
      return showPreferences(linked);
    case 'everywhere':
      await unsubscribeEverywhere(linked.ctx, {
        email: linked.subscriber.email,
        issueId: null,
        evidence: proofOf(linked, visitor),
      });
      return showPreferences(linked);
    case 'data': {
      const isSent = await sendDataLink(linked, { workspaceName: await workspaceNameOf(linked) });
      return showPreferences(linked, { data: isSent ? 'sent' : 'unsent' });
    }
    default:
      throw invalid('action', 'The action is none of this page.');
  }
}

async function showPreferences(linked: Linked, shown: Notice = {}) {
  const { ctx, token, newsletter } = linked;
  const now = ctx.clock.now();
  const lists = await listSubscriptions(ctx.db, ctx.workspaceId, linked.subscriber.email);
  const own = lists.find(({ subscriber }) => subscriber.id === linked.subscriber.id)?.subscriber ?? linked.subscriber;
  const page = pageContext(ctx.settings, newsletter);
  return preferencesPage(page, {
    action: tokenLink(page, 'nl_prefs', token),
    email: own.email,
    name: own.name,
    status: own.status,
    workspaceName: await workspaceNameOf(linked),
    mayUndo: statusToRestore(own, now) !== null,
    others: lists
      .filter(({ subscriber }) => subscriber.id !== own.id)
      .map(({ subscriber, newsletterName, signupEnabled }) => ({
        subscriberId: subscriber.id,
        newsletterName,
        isOn: subscriber.status !== 'unsubscribed',
        mayRejoin: signupEnabled || statusToRestore(subscriber, now) !== null,
      })),
    ...shown,
  });
}

async function save(linked: Linked, typed: unknown) {
  try {
    const name = readPublicName(typeof typed === 'string' ? typed : null);
    await changeSubscriber(linked.ctx, linked.subscriber, { name });
  } catch (error) {
    if (error instanceof AppError && error.extras.param === 'name')
      return showPreferences(linked, { problem: 'name_invalid' });
    throw error;
  }
  return showPreferences(linked, { saved: true });
}

/** Another list of the same person in the same workspace; anybody else's id is as unknown as none. */
async function ownList({ ctx, subscriber }: Linked, id: string): Promise<Subscriber> {
  const lists = await listSubscriptions(ctx.db, ctx.workspaceId, subscriber.email);
  const found = lists.find((list) => list.subscriber.id === id);
  if (found === undefined) throw notFound('subscriber', id);
  return found.subscriber;
}

async function leave(linked: Linked, { newsletterId, id }: Subscriber, visitor: Visitor): Promise<void> {
  const evidence = proofOf(linked, visitor);
  await unsubscribeSubscriber(linked.ctx, { newsletterId, subscriberId: id, reason: 'user', issueId: null, evidence });
}

/** Within a day it is as if they had not left; later they sign up again, and confirm where that is asked for. */
async function rejoin(linked: Linked, row: Subscriber, visitor: Visitor): Promise<void> {
  const { ctx } = linked;
  const evidence = proofOf(linked, visitor);
  try {
    if (statusToRestore(row, ctx.clock.now()) !== null) {
      await undoUnsubscribe(ctx, { newsletterId: row.newsletterId, subscriberId: row.id, evidence });
      return;
    }
    const newsletter = await selectNewsletter(ctx.db, ctx.workspaceId, row.newsletterId);
    if (newsletter === undefined || !newsletter.signupEnabled) return;
    const { name, source } = row;
    await signUp(ctx, newsletter, { email: readAddress(row.email), name, source, evidence, via: 'public' });
  } catch (error) {
    // Suppressed, or too late by a moment: the page shows how it stands.
    if (!(error instanceof AppError) || error.name === 'internal_error') throw error;
  }
}
