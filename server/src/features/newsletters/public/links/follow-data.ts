import { dataPage, erasedPage, eraseQuestionPage, reloadable } from '#features/reader-pages';
import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Visitor } from '#platform/http/visitor.ts';
import { DeadLink, type Linked, openLink, senderName, workspaceNameOf } from './linked.ts';
import { eraseOwnData, exportOwnData } from './data-requests.ts';
import { tokenLink } from '../pages/page-links.ts';
import { pageContext } from '../pages/page-context.ts';

/** The actions that a person may take on their own records. Looking changes nothing, and shows none of it. */
export async function followData(ctx: Ctx, token: string, done?: string) {
  try {
    const linked = await openLink(ctx, 'nl_data', token);
    const shown = await shownOf(linked);
    return done === 'erase' ? eraseQuestionPage(pageOf(linked), shown) : dataPage(pageOf(linked), shown);
  } catch (error) {
    // The button led here, and with the person the link has lost what it was for.
    const newsletter = error instanceof DeadLink && error.name === 'not_found_error' ? error.newsletter : null;
    if (done !== 'erased' || newsletter === null) throw error;
    const workspaceName = await senderName(ctx, newsletter);
    return erasedPage(pageContext(ctx.settings, newsletter), { workspaceName });
  }
}

/** A button of that page was pressed, but for the download. Nothing but what they know changes anything: 400. */
export async function pressData(ctx: Ctx, visitor: Visitor, token: string, action: string) {
  const linked = await openLink(ctx, 'nl_data', token);
  const shown = await shownOf(linked);
  switch (action) {
    case 'erase':
      return reloadable(visitor, `${shown.action}&done=erase`, eraseQuestionPage(pageOf(linked), shown));
    case 'erase-all':
      await eraseOwnData(linked.ctx, linked.subscriber.email);
      return reloadable(visitor, `${shown.action}&done=erased`, erasedPage(pageOf(linked), shown));
    default:
      throw invalid('action', 'The action is none of this page.');
  }
}

/** The download of `action=export`: JSON. */
export async function exportData(ctx: Ctx, token: string): Promise<string> {
  const linked = await openLink(ctx, 'nl_data', token);
  return exportOwnData(linked.ctx, linked.subscriber.email);
}

const pageOf = ({ ctx, newsletter }: Linked) => pageContext(ctx.settings, newsletter);

const shownOf = async (linked: Linked) => ({
  email: linked.subscriber.email,
  action: tokenLink(pageOf(linked), 'nl_data', linked.token),
  workspaceName: await workspaceNameOf(linked),
});
