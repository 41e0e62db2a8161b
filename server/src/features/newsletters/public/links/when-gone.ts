/** The link to leave of somebody who was removed from the newsletter: it does what it always did, but is not undone. */
import { isActualVisit } from '#features/feedback';
import {
  endedPage,
  reloadable,
  undoTooLatePage,
  unsubscribeButtonPage,
  unsubscribedEverywherePage,
  unsubscribedPage,
} from '#features/reader-pages';
import { inTransaction } from '#platform/db/database.ts';
import type { Visitor } from '#platform/http/visitor.ts';
import { hasLeft, leaveWhenGone } from '../../subscribers/leaving/leave-when-gone.ts';
import { unsubscribeEverywhere } from '../../subscribers/leaving/unsubscribe-everywhere.ts';
import { pageContext } from '../pages/page-context.ts';
import { leavingResult, tokenLink } from '../pages/page-links.ts';
import { type LinkedFormer, proofOf, workspaceNameOf } from './linked.ts';
import { listSubscriptions } from './preferences-queries.ts';

/**
 * The fields that may be posted to the address of a link: what a mail program posts (RFC 8058), and what our buttons
 * do.
 */
export type Leaving = 'One-Click' | 'leave' | 'undo' | 'everywhere';

const pageOf = ({ ctx, newsletter }: LinkedFormer) => pageContext(ctx.settings, newsletter);

/** One whose address is known. */
type Known = LinkedFormer & { email: string };
const isKnown = (linked: LinkedFormer): linked is Known => linked.email !== null;

/** A person has left when the page comes; a machine is shown a button, and so is everybody where it asks first. */
export async function followWhenGone(linked: LinkedFormer, visitor: Visitor) {
  if (!isKnown(linked)) return endedPage(pageOf(linked));
  const { ctx, newsletter, email, token } = linked;
  const mayAct = isActualVisit(visitor, ctx.settings) && !newsletter.unsubscribeConfirmPage;
  if (mayAct || (await hasLeft(ctx, newsletter.id, email))) {
    await leaveByLink(linked, visitor);
    return leftWhenGone(linked);
  }
  const page = pageOf(linked);
  return unsubscribeButtonPage(page, { email, action: tokenLink(page, 'nl_unsub', token) });
}

/** A button, or one click of a mail program. It takes effect before its answer. */
export async function pressWhenGone(linked: LinkedFormer, visitor: Visitor, pressed: Leaving) {
  const page = pageOf(linked);
  if (!isKnown(linked)) return endedPage(page);
  switch (pressed) {
    case 'undo':
      return undoTooLatePage(page);
    case 'One-Click':
      await leaveByLink(linked, visitor);
      return leftWhenGone(linked);
    case 'leave':
      await leaveByLink(linked, visitor);
      return reloadable(visitor, tokenLink(page, 'nl_unsub', linked.token), await leftWhenGone(linked));
    case 'everywhere':
      await leaveEverywhere(linked, visitor);
      return reloadable(visitor, leavingResult(page, pressed, linked.token), await leftWhenGone(linked, pressed));
  }
}

/** How it stands. It changes nothing. */
export async function leftWhenGone(linked: LinkedFormer, pressed: 'undo' | 'everywhere' = 'undo') {
  const page = pageOf(linked);
  if (!isKnown(linked)) return endedPage(page);
  const { ctx, email, token } = linked;
  const workspaceName = await workspaceNameOf(linked);
  if (pressed === 'everywhere') return unsubscribedEverywherePage(page, { email, workspaceName });
  const others = await listSubscriptions(ctx.db, ctx.workspaceId, email);
  return unsubscribedPage(page, {
    email,
    action: tokenLink(page, 'nl_unsub', token),
    preferencesAt: null,
    workspaceName,
    mayUndo: false,
    hasOthers: others.some(({ subscriber: { status } }) => status !== 'unsubscribed'),
  });
}

const leaveByLink = (linked: Known, visitor: Visitor): Promise<void> => {
  const { ctx, email, link } = linked;
  const { newsletterId, subscriberId, issueId = null } = link;
  const why = { issueId, evidence: proofOf(linked, visitor) };
  return leaveWhenGone(ctx, { newsletterId, subscriberId, email }, why);
};

const leaveEverywhere = (linked: Known, visitor: Visitor): Promise<unknown> => {
  const { ctx, email } = linked;
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...linked, ctx: { ...ctx, db: tx } };
    await leaveByLink(inside, visitor);
    await unsubscribeEverywhere(inside.ctx, { email, issueId: null, evidence: proofOf(linked, visitor) });
  });
};
