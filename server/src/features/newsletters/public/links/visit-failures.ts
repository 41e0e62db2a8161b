import { badLinkPage, failurePage, gonePage, notFoundPage, refusedPage, strangerContext } from '#features/reader-pages';
import type { PageFailure, PageForSome, PageOptions } from '#platform/http/page.ts';
import { listNamedBy } from '#mail/list-mail/person-links.ts';
import { selectNewsletter } from '../../queries.ts';
import { findNewsletterBySlug } from '../../get-newsletter.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import type { LinkPurpose } from '../../link-token.ts';
import { DeadLink } from './linked.ts';
import { newLinksForm } from './new-links.ts';
import { pageContext } from '../pages/page-context.ts';
import { type FormProblem, readEmbedField, sealFormState } from '../pages/form-state.ts';
import { pageLinks } from '../pages/page-links.ts';
import { sendAgain } from '../pages/subscribe-page.ts';
import { addressOf } from '../sign-up/sign-up-answers.ts';
import { wantsPage } from '#platform/http/visitor.ts';

type Wiring = Pick<NewslettersWiring, 'db' | 'settings' | 'secrets' | 'clock'>;

/** The failures behind a link of an email. */
export const ofLink = (wiring: Wiring, purpose: LinkPurpose): PageOptions => ({
  async failure(failure) {
    const { error, request } = failure;
    const stranger = strangerContext(request.headers['accept-language']);
    const known = error instanceof DeadLink ? error.newsletter : null;
    const newsletter = known ?? (purpose === 'nl_confirm' ? await newsletterNamedIn(wiring, request) : null);
    const page = newsletter === null ? null : pageContext(wiring.settings, newsletter);
    if (error.extras.param !== 'token') return failurePage(page ?? stranger, failure);
    if (error.name === 'not_found_error') return gonePage(page ?? stranger);
    if (purpose !== 'nl_confirm') return badLinkPage(page ?? stranger, null);
    const { newLinkButton: label, emailLabel } = (page ?? stranger).locale.messages.pages;
    if (page === null) return badLinkPage(stranger, newLinksForm(wiring.settings, { label, emailLabel }));
    return badLinkPage(page, page.newsletter.signupEnabled ? sendAgain(page, { label }) : null);
  },
});

/** Of a link that was cut: what is left of it may say which newsletter it was for. */
async function newsletterNamedIn({ db }: Wiring, request: PageFailure['request']): Promise<Newsletter | null> {
  // Nothing has checked the query: it may be what failed.
  const { token } = request.query as { token?: unknown };
  const named = typeof token === 'string' ? listNamedBy(token) : undefined;
  if (named === undefined) return null;
  return (await selectNewsletter(db, named.workspaceId, named.listId).catch(() => undefined)) ?? null;
}

/** The failures of a form: the way back to it, with what was typed and what to do about it. */
export const ofSignUp = (wiring: Wiring): PageForSome => ({
  when: wantsPage,
  async failure(failure) {
    const { error, fields, request } = failure;
    const embedded = readEmbedField(fields.embed);
    const stranger = strangerContext(request.headers['accept-language'], { embedded });
    const newsletter = await newsletterOf(wiring, request);
    if (newsletter === undefined)
      return error.name === 'not_found_error' ? notFoundPage(stranger) : failurePage(stranger, failure);
    const page = pageContext(wiring.settings, newsletter, { embedded });
    if (error.extras.param === 'slug') return refusedPage(page, { reason: 'closed' });
    const problem = problemOf(failure);
    if (problem === undefined || !newsletter.signupEnabled) return failurePage(page, failure);
    const [email, name, source] = [fields.email, fields.name, fields.source].map(textOf);
    const state = { email: email?.slice(0, 320), name: name?.slice(0, 64), source: source?.slice(0, 100), problem };
    const { subscribe, embed } = pageLinks(page);
    const sealed = sealFormState(wiring.secrets, state, wiring.clock.now());
    const location = embedded === null ? addressOf(subscribe, null, sealed) : `${embed(embedded)}&s=${sealed}`;
    return { body: '', status: 303, headers: { location } };
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
    case 'cf-turnstile-response':
    case 'h-captcha-response':
      return 'not_human';
    default:
      return undefined;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
