import { AppError, invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Subscriber } from '../../subscribers/subscriber.ts';
import { keepUnsubscribed } from '../../subscribers/queries.ts';
import { statusToRestore, undoUnsubscribe } from '../../subscribers/leaving/undo-unsubscribe.ts';
import { leaveByVisit } from '../../subscribers/leaving/leave-by-visit.ts';
import { unsubscribeEverywhere } from '../../subscribers/leaving/unsubscribe-everywhere.ts';
import { unsubscribeSubscriber } from '../../subscribers/leaving/unsubscribe-subscriber.ts';
import { isActualVisit, isBrowserVisit } from '#features/feedback';
import { signLink } from '../../link-token.ts';
import { DeadLink, type Linked, openLeavingLink, proofOf, workspaceNameOf } from './linked.ts';
import { followWhenGone, type Leaving, leftWhenGone, pressWhenGone } from './when-gone.ts';
import { pageContext } from '../pages/page-context.ts';
import {
  stillSubscribedPage,
  undonePage,
  undoTooLatePage,
  unsubscribeButtonPage,
  unsubscribedEverywherePage,
  unsubscribedPage,
  reloadable,
} from '#features/reader-pages';
import { leavingResult, tokenLink } from '../pages/page-links.ts';
import { listSubscriptions } from './preferences-queries.ts';
import type { Visitor } from '#platform/http/visitor.ts';

/**
 * The link to leave was followed: a person has left when the page comes, a machine is shown a button, and so is
 * everybody where the newsletter asks first. Repeated it shows the same; that a person meant it is known then.
 */
export async function followUnsubscribe(ctx: Ctx, visitor: Visitor, token: string) {
  const linked = await openLeavingLink(ctx, token);
  if (linked.subscriber === undefined) return followWhenGone(linked, visitor);
  const { newsletter, subscriber } = linked;
  const hasLeft = subscriber.status === 'unsubscribed';
  if (hasLeft && !subscriber.unsubscribedByVisit) return leftPage(linked, subscriber);
  const mayAct = isActualVisit(visitor, ctx.settings) && (hasLeft || !newsletter.unsubscribeConfirmPage);
  const byBrowser = isBrowserVisit(visitor, ctx.settings);
  const left = mayAct
    ? await orGone(linked, () => leaveByVisit(linked.ctx, { ...leavingOf(linked, visitor), byBrowser }))
    : undefined;
  if (left !== undefined && !left.asksFirst) return leftPage(linked, left.subscriber);
  if (hasLeft) return leftPage(linked, subscriber);
  const page = pageContext(ctx.settings, newsletter);
  return unsubscribeButtonPage(page, { email: subscriber.email, action: tokenLink(page, 'nl_unsub', token) });
}

/** Takes effect before its answer. One click is answered in place: mail programs follow no redirect. */
export async function pressUnsubscribe(ctx: Ctx, visitor: Visitor, token: string, pressed: Leaving) {
  const linked = await openLeavingLink(ctx, token);
  if (linked.subscriber === undefined) return pressWhenGone(linked, visitor, pressed);
  const page = pageContext(ctx.settings, linked.newsletter);
  switch (pressed) {
    case 'One-Click':
      return leave(linked, visitor);
    case 'leave':
      return reloadable(visitor, tokenLink(page, 'nl_unsub', token), await leave(linked, visitor));
    case 'undo':
      return reloadable(visitor, leavingResult(page, pressed, token), await undo(linked, visitor));
    case 'everywhere':
      return reloadable(visitor, leavingResult(page, pressed, token), await leaveEverywhere(linked, visitor));
  }
}

/** The page that a button led to: how it stands. It changes nothing. */
export async function followLeft(ctx: Ctx, token: string, pressed: 'undo' | 'everywhere') {
  const linked = await openLeavingLink(ctx, token);
  if (linked.subscriber === undefined) return leftWhenGone(linked, pressed);
  const { newsletter, subscriber } = linked;
  const { email, status } = subscriber;
  const page = pageContext(ctx.settings, newsletter);
  if (status !== 'unsubscribed') return undonePage(page, { email, status });
  if (pressed === 'undo') return leftPage(linked, subscriber);
  return unsubscribedEverywherePage(page, { email, workspaceName: await workspaceNameOf(linked) });
}

/**
 * The page after the visit loads a picture. Scanners that follow the links of a mail load none, so who loads it is a
 * person, and no burst undoes their unsubscribe. The address stands in no email.
 */
export async function seeLeft(ctx: Ctx, visitor: Visitor, token: string): Promise<void> {
  const linked = await openLeavingLink(ctx, token);
  if (linked.subscriber !== undefined) await keepLeft(linked, visitor);
}

/**
 * The page after the visit goes here by itself, once it is known whether a burst has undone the unsubscribe: in a
 * browser that loads no pictures it tells that, with a button to leave for good.
 */
export async function followOutcome(ctx: Ctx, visitor: Visitor, token: string) {
  const linked = await openLeavingLink(ctx, token);
  if (linked.subscriber === undefined) return leftWhenGone(linked);
  const { newsletter, subscriber } = linked;
  if (subscriber.status === 'unsubscribed') {
    if (subscriber.unsubscribedByVisit && isEarly(linked)) return leftPage(linked, subscriber);
    await keepLeft(linked, visitor);
    return leftPage(linked, { ...subscriber, unsubscribedByVisit: false });
  }
  const page = pageContext(ctx.settings, newsletter);
  return stillSubscribedPage(page, { email: subscriber.email, action: tokenLink(page, 'nl_unsub', token) });
}

/** The page goes here after 12 seconds. Link checkers follow its address at once, and show no person. */
const OUTCOME_NOT_BEFORE_MS = 10_000;

const isEarly = ({ ctx, subscriber: { unsubscribedAt } }: Linked): boolean =>
  unsubscribedAt !== null && ctx.clock.now().getTime() - unsubscribedAt.getTime() < OUTCOME_NOT_BEFORE_MS;

async function keepLeft({ ctx, subscriber }: Linked, visitor: Visitor): Promise<void> {
  if (!isActualVisit(visitor, ctx.settings) || !subscriber.unsubscribedByVisit) return;
  await keepUnsubscribed(ctx.db, subscriber.workspaceId, [subscriber.id]);
}

/** Nothing but the one-click text and our own buttons changes anything: 400. */
export function readLeaving(fields: unknown): Leaving {
  const given = typeof fields === 'object' && fields !== null ? new Map(Object.entries(fields)) : new Map();
  if (given.get('List-Unsubscribe') === 'One-Click') return 'One-Click';
  const action: unknown = given.get('action');
  if (action === 'leave' || action === 'undo' || action === 'everywhere') return action;
  throw invalid('List-Unsubscribe', 'The body must be List-Unsubscribe=One-Click.');
}

async function leave(linked: Linked, visitor: Visitor) {
  const left = await orGone(linked, () =>
    unsubscribeSubscriber(linked.ctx, { ...leavingOf(linked, visitor), reason: 'user' }),
  );
  return leftPage(linked, left.subscriber);
}

const leavingOf = (linked: Linked, visitor: Visitor) => ({
  newsletterId: linked.newsletter.id,
  subscriberId: linked.subscriber.id,
  issueId: linked.link.issueId ?? null,
  evidence: proofOf(linked, visitor),
});

async function leftPage(linked: Linked, subscriber: Subscriber) {
  const { ctx, newsletter, token } = linked;
  const now = ctx.clock.now();
  const page = pageContext(ctx.settings, newsletter);
  // Not the one that the link names: who was deleted and came back is found by the address.
  const { workspaceId, newsletterId, id: subscriberId } = subscriber;
  const preferences = await signLink(ctx.secrets, 'nl_prefs', { workspaceId, newsletterId, subscriberId }, now);
  return unsubscribedPage(page, {
    email: subscriber.email,
    action: tokenLink(page, 'nl_unsub', token),
    preferencesAt: tokenLink(page, 'nl_prefs', preferences),
    workspaceName: await workspaceNameOf(linked),
    mayUndo: statusToRestore(subscriber, now) !== null,
    hasOthers: await isOnOthers(linked),
    ...(subscriber.unsubscribedByVisit
      ? { seenAt: leavingResult(page, 'seen', token), outcomeAt: leavingResult(page, 'outcome', token) }
      : {}),
  });
}

async function isOnOthers({ ctx, subscriber }: Linked): Promise<boolean> {
  const lists = await listSubscriptions(ctx.db, ctx.workspaceId, subscriber.email);
  return lists.some(({ subscriber: { id, status } }) => id !== subscriber.id && status !== 'unsubscribed');
}

async function undo(linked: Linked, visitor: Visitor) {
  const { ctx, newsletter, subscriber } = linked;
  const page = pageContext(ctx.settings, newsletter);
  try {
    const evidence = proofOf(linked, visitor);
    const back = await orGone(linked, () =>
      undoUnsubscribe(ctx, { newsletterId: newsletter.id, subscriberId: subscriber.id, evidence }),
    );
    const status = back.subscriber.status === 'pending' ? 'pending' : 'active';
    return undonePage(page, { email: subscriber.email, status });
  } catch (error) {
    // More than a day ago, or the address has been suppressed since.
    const isTooLate = error instanceof AppError && (error.name === 'conflict_error' || error.extras.param === 'email');
    if (!isTooLate) throw error;
    return undoTooLatePage(page);
  }
}

async function leaveEverywhere(linked: Linked, visitor: Visitor) {
  const { ctx, link, newsletter, subscriber } = linked;
  await unsubscribeEverywhere(ctx, {
    email: subscriber.email,
    issueId: link.issueId ?? null,
    evidence: proofOf(linked, visitor),
  });
  return unsubscribedEverywherePage(pageContext(ctx.settings, newsletter), {
    email: subscriber.email,
    workspaceName: await workspaceNameOf(linked),
  });
}

/** Somebody may be removed between the reading of a link and what it does. */
async function orGone<T>({ newsletter }: Linked, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.name === 'not_found_error') throw new DeadLink('gone', newsletter);
    throw error;
  }
}
