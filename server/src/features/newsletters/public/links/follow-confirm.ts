import { reloadable } from '#features/reader-pages';
import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { confirmSubscriber } from '../../subscribers/confirmation/confirm-subscriber.ts';
import { isActualVisit } from '#features/feedback';
import { DeadLink, type Linked, openLink, proofOf } from './linked.ts';
import { confirmButtonPage, confirmedPage } from '../pages/confirm-pages.ts';
import { latestIssues } from '../pages/latest-issues.ts';
import { pageContext } from '../pages/page-context.ts';
import { tokenLink } from '../pages/page-links.ts';
import type { Visitor } from '#platform/http/visitor.ts';

/** The link of a confirmation email was followed: a person's visit confirms, a machine's is shown a button. */
export async function followConfirm(ctx: Ctx, visitor: Visitor, token: string) {
  const linked = await openLink(ctx, 'nl_confirm', token);
  const { newsletter, subscriber, link } = linked;
  if (subscriber.status === 'active') return confirmed(linked);
  if (isActualVisit(visitor, ctx.settings)) return confirm(linked, visitor);
  // A link that could not be confirmed has no button.
  const isGood = subscriber.status === 'pending' && subscriber.generation === (link.generation ?? 0);
  if (!isGood) throw new DeadLink('bad', newsletter);
  return confirmButtonPage(pageContext(ctx.settings, newsletter), { token });
}

/** The button was pressed. */
export async function pressConfirm(ctx: Ctx, visitor: Visitor, token: string) {
  const linked = await openLink(ctx, 'nl_confirm', token);
  const shown = await confirm(linked, visitor);
  return reloadable(visitor, tokenLink(pageContext(ctx.settings, linked.newsletter), 'nl_confirm', token), shown);
}

async function confirm(linked: Linked, visitor: Visitor) {
  const { ctx, link, newsletter } = linked;
  try {
    await confirmSubscriber(ctx, link, proofOf(linked, visitor));
  } catch (error) {
    // From before an unsubscribe, or the person was removed at this moment.
    if (error instanceof AppError && error.name === 'validation_error') throw new DeadLink('bad', newsletter);
    if (error instanceof AppError && error.name === 'not_found_error') throw new DeadLink('gone', newsletter);
    throw error;
  }
  return confirmed(linked);
}

async function confirmed({ ctx, newsletter }: Linked) {
  const page = pageContext(ctx.settings, newsletter);
  return confirmedPage(page, await latestIssues(ctx.db, page, newsletter));
}
