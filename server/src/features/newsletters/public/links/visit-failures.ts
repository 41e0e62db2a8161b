import type { PageFailure, PageForSome, PageOptions } from '#platform/http/page.ts';
import { findNewsletterBySlug } from '../../get-newsletter.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { fillTimeToken } from '../sign-up/fill-time.ts';
import type { LinkPurpose } from './link-token.ts';
import { DeadLink } from './linked.ts';
import { badLinkPage } from '../pages/confirm-pages.ts';
import { type AnyPageContext, pageContext, strangerContext } from '../pages/page-context.ts';
import { gonePage, notFoundPage, refusedPage } from '../pages/refusals.ts';
import { type FormProblem, subscribePage } from '../pages/subscribe-page.ts';
import { wantsPage } from '#platform/http/visitor.ts';

type Wiring = Pick<NewslettersWiring, 'db' | 'settings' | 'secrets' | 'clock'>;

/** The failures behind a link of an email. */
export const ofLink = (wiring: Wiring, purpose: LinkPurpose): PageOptions => ({
  failure(failure) {
    const { error, request } = failure;
    const stranger = strangerContext(wiring.settings, request.headers['accept-language']);
    const dead = error instanceof DeadLink ? error : undefined;
    const page = dead?.newsletter == null ? stranger : pageContext(wiring.settings, dead.newsletter);
    if (error.extras.param !== 'token') return plainRefusal(page, failure);
    return error.name === 'not_found_error' ? gonePage(page) : badLinkPage(page, { purpose });
  },
});

/** The failures of a form: the form again, with what was typed and what to do about it. */
export const ofSignUp = (wiring: Wiring): PageForSome => ({
  when: wantsPage,
  async failure(failure) {
    const { error, fields, request } = failure;
    const embedded = fields.embed === '1';
    const stranger = strangerContext(wiring.settings, request.headers['accept-language'], { embedded });
    const newsletter = await newsletterOf(wiring, request);
    if (newsletter === undefined)
      return error.name === 'not_found_error' ? notFoundPage(stranger) : plainRefusal(stranger, failure);
    const page = pageContext(wiring.settings, newsletter, { embedded });
    if (error.extras.param === 'slug') return refusedPage(page, { reason: 'closed' });
    const problem = problemOf(failure);
    if (problem === undefined || !newsletter.signupEnabled) return plainRefusal(page, failure);
    const [email, name, source] = [fields.email, fields.name, fields.source].map(textOf);
    return subscribePage(page, {
      fillTime: fillTimeToken(wiring.secrets, wiring.clock.now()),
      values: { email, name, source },
      problem,
    });
  },
});

/** The database may be what went wrong. */
async function newsletterOf({ db }: Wiring, request: PageFailure['request']): Promise<Newsletter | undefined> {
  // Fastify decodes path parameters to strings.
  const { slug = '' } = request.params as { slug?: string };
  return findNewsletterBySlug(db, slug).catch(() => undefined);
}

function problemOf({ error, status, fields }: PageFailure): FormProblem | undefined {
  switch (error.extras.param) {
    case 'email':
      if (status === 422) return 'email_refused';
      return textOf(fields.email) === undefined ? 'email_missing' : 'email_invalid';
    case 'name':
      return 'name_invalid';
    case 'shown_at':
      return 'too_fast';
    default:
      return undefined;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function plainRefusal(page: AnyPageContext, { error, status, requestId }: PageFailure) {
  if (status === 429)
    return refusedPage(page, { reason: 'too_many', retryAfterSeconds: error.extras.retryAfterSeconds ?? 1 });
  if (status >= 500) return refusedPage(page, { reason: 'broken', requestId, status });
  return refusedPage(page, { reason: 'unreadable', status });
}
