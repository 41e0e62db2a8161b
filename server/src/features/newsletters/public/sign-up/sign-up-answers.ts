import type { Ctx } from '#platform/http/context.ts';
import { messagesOf } from '#features/reader-pages';
import type { Newsletter } from '../../newsletter.ts';
import { pageContext } from '../pages/page-context.ts';
import { checkInboxPage, subscribedPage } from '../pages/subscribe-page.ts';
import { redirectTarget } from '#platform/pages/redirect-target.ts';
import { type Visitor, wantsPage } from '#platform/http/visitor.ts';

interface Asked {
  newsletter: Newsletter;
  body: { email: string; redirect_url?: string; embed?: string };
  /** The email again, and no sign-up. */
  again: boolean;
}

type AnswerParts = [body: unknown, options?: { status?: number; headers?: Record<string, string> }];

/** The answer to a sign-up, which is the same for everybody: JSON, our page, or the way back. */
export function answerFor(ctx: Ctx, visitor: Visitor, { newsletter, body, again }: Asked): AnswerParts {
  const confirms = newsletter.doubleOptIn || again;
  if (!wantsPage(visitor)) {
    const { pages } = messagesOf(newsletter.language);
    const message = confirms ? `${pages.checkInboxTitle}. ${pages.checkInboxHint}` : pages.subscribedTitle;
    return [{ success: true, status: confirms ? 'pending' : 'active', message }];
  }
  const location = redirectTarget(newsletter.redirectOrigins, body.redirect_url);
  if (location !== undefined) return ['', { status: 303, headers: { location } }];
  const page = pageContext(ctx.settings, newsletter, { embedded: body.embed === '1' });
  const shown = confirms ? checkInboxPage(page, { email: body.email, again }) : subscribedPage(page);
  return [shown.body, { status: shown.status ?? 200, headers: { ...shown.headers } }];
}
