import type { Ctx } from '#platform/http/context.ts';
import { messagesOf } from '#features/reader-pages';
import type { Newsletter } from '../../newsletter.ts';
import { pageContext } from '../pages/page-context.ts';
import { readEmbedField, sealFormState } from '../pages/form-state.ts';
import { pageLinks } from '../pages/page-links.ts';
import type { Embedding } from '#platform/pages/layout.ts';
import { redirectTarget } from '#platform/pages/redirect-target.ts';
import { type Visitor, wantsPage } from '#platform/http/visitor.ts';

interface Asked {
  newsletter: Newsletter;
  body: { email: string; redirect_url?: string; embed?: string };
  /** The email again, and no sign-up. */
  again: boolean;
}

type AnswerParts = [body: unknown, options?: { status?: number; headers?: Record<string, string> }];

/** The answer to a sign-up, the same for everybody: JSON, or the way to a page that may be loaded again. */
export function answerFor(ctx: Ctx, visitor: Visitor, { newsletter, body, again }: Asked): AnswerParts {
  const confirms = newsletter.doubleOptIn || again;
  if (!wantsPage(visitor)) {
    const { pages } = messagesOf(newsletter.language);
    const message = confirms ? `${pages.checkInboxTitle}. ${pages.checkInboxHint}` : pages.subscribedTitle;
    return [{ success: true, status: confirms ? 'pending' : 'active', message }];
  }
  const location = redirectTarget(newsletter.redirectOrigins, body.redirect_url);
  if (location !== undefined) return seeOther(location);
  const embedded = readEmbedField(body.embed);
  const { checkInbox, subscribed } = pageLinks(pageContext(ctx.settings, newsletter));
  if (!confirms) return seeOther(addressOf(subscribed, embedded));
  const state = sealFormState(ctx.secrets, { email: body.email, again }, ctx.clock.now());
  return seeOther(addressOf(checkInbox, embedded, state));
}

const seeOther = (location: string): AnswerParts => ['', { status: 303, headers: { location } }];

/** Of a page that a form leads to. In a frame it stays as the page around wants it. */
export function addressOf(page: string, embedded: Embedding | null, state?: string): string {
  const query = new URLSearchParams({ ...embedded, ...(state === undefined ? {} : { s: state }) });
  return query.size === 0 ? page : `${page}?${query}`;
}
