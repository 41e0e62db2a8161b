import type { Answer } from '#platform/http/route.ts';
import { localeOf } from '../../locales/messages.ts';
import { archivePage } from './archive-page.ts';
import { badLinkPage, confirmButtonPage, confirmedPage } from './confirm-pages.ts';
import { issuePage } from './issue-page.ts';
import type { PageContext, PageNewsletter } from './page-context.ts';
import { dataPage, erasedPage, eraseQuestionPage } from './data-pages.ts';
import { preferencesPage } from './preferences-page.ts';
import { gonePage, notFoundPage, refusedPage } from './refusals.ts';
import { checkInboxPage, embedPage, subscribedPage, subscribePage } from './subscribe-page.ts';
import * as unsubscribe from './unsubscribe-pages.ts';

export const A_NEWSLETTER: PageNewsletter = {
  name: 'Slow Mornings',
  slug: 'slow-mornings',
  description: 'One letter every Sunday about reading, walking and doing one thing at a time.',
  accentColor: '#b4532a',
  logoUrl: null,
  doubleOptIn: true,
  archiveEnabled: true,
  signupEnabled: true,
  timezone: 'Europe/Berlin',
  postalAddress: null,
};

/** The values that visitors typed or chose. */
export interface Typed {
  newsletter?: Partial<PageNewsletter>;
  email?: string;
  name?: string;
  workspaceName?: string;
  subject?: string;
  preheader?: string;
}

/** Every page there is, by name: what a test asks of all of them. */
export function everyPage(typed: Typed = {}, language = 'en'): Record<string, Answer> {
  const newsletter = { ...A_NEWSLETTER, ...typed.newsletter };
  const context: PageContext = { newsletter, locale: localeOf(language), basePath: '', embedded: false };
  const framed: PageContext = { ...context, embedded: true };
  const nobody: PageContext<null> = { ...context, newsletter: null };
  const { email = 'ada@example.com', name = 'Ada Lovelace', workspaceName = 'Acme' } = typed;
  const values = { email, name, source: name };
  const person = { email, token: 'a-token', preferencesToken: 'another-token', workspaceName };
  const preferences = { ...person, name, mayUndo: true };
  const issues = Array.from({ length: 3 }, (_, index) => ({
    id: `01999999-0000-7000-8000-00000000000${index}`,
    slug: `issue-${index}`,
    subject: typed.subject ?? ['What a map leaves out', 'The case for the long way home', 'Small rituals'][index] ?? '',
    preheader: typed.preheader ?? 'Three notes on walking without a plan.',
    sentAt: new Date(Date.UTC(2026, 10 - index, 15, 7)),
  }));
  const [issue] = issues;
  if (issue === undefined) throw new Error('there are issues');
  return {
    subscribe: subscribePage(context, { fillTime: 'now', values: {} }),
    'subscribe-missing': subscribePage(context, { fillTime: 'now', problem: 'email_missing', values: { name } }),
    'subscribe-invalid': subscribePage(context, { fillTime: 'now', problem: 'email_invalid', values }),
    'subscribe-refused': subscribePage(context, { fillTime: 'now', problem: 'email_refused', values }),
    'subscribe-name': subscribePage(context, { fillTime: 'now', problem: 'name_invalid', values }),
    'subscribe-fast': subscribePage(context, { fillTime: 'now', problem: 'too_fast', values }),
    'subscribe-closed': subscribePage(
      { ...context, newsletter: { ...newsletter, signupEnabled: false } },
      { fillTime: 'now' },
    ),
    embed: embedPage(context, { fillTime: 'now' }),
    'embed-invalid': embedPage(context, { fillTime: 'now', problem: 'email_invalid', values }),
    'embed-check-inbox': checkInboxPage(framed, { email }),
    'check-inbox': checkInboxPage(context, { email }),
    'check-inbox-again': checkInboxPage(context, { email, again: true }),
    subscribed: subscribedPage(context),
    confirmed: confirmedPage(context),
    'confirm-button': confirmButtonPage(context, person),
    'bad-link': badLinkPage(context, { purpose: 'nl_confirm' }),
    'bad-link-stranger': badLinkPage(nobody, { purpose: 'nl_unsub' }),
    gone: gonePage(nobody),
    'not-found': notFoundPage(nobody),
    'not-found-issue': notFoundPage(context),
    unsubscribed: unsubscribe.unsubscribedPage(context, { ...person, mayUndo: true }),
    'unsubscribed-late': unsubscribe.unsubscribedPage(context, { ...person, mayUndo: false }),
    'unsubscribe-button': unsubscribe.unsubscribeButtonPage(context, person),
    everywhere: unsubscribe.unsubscribedEverywherePage(context, person),
    undone: unsubscribe.undonePage(context, { email, status: 'active' }),
    'undone-pending': unsubscribe.undonePage(context, { email, status: 'pending' }),
    'undo-too-late': unsubscribe.undoTooLatePage(context),
    preferences: preferencesPage(context, { ...preferences, status: 'active', saved: true }),
    'preferences-left': preferencesPage(context, { ...preferences, status: 'unsubscribed' }),
    'preferences-name': preferencesPage(context, { ...preferences, status: 'pending', problem: 'name_invalid' }),
    'preferences-data': preferencesPage(context, { ...preferences, status: 'active', data: 'sent' }),
    'preferences-unsent': preferencesPage(context, { ...preferences, status: 'active', data: 'unsent' }),
    data: dataPage(context, person),
    'data-erase': eraseQuestionPage(context, person),
    'data-erased': erasedPage(context, person),
    'too-many': refusedPage(context, { reason: 'too_many', retryAfterSeconds: 240 }),
    closed: refusedPage(context, { reason: 'closed' }),
    unreadable: refusedPage(context, { reason: 'unreadable' }),
    broken: refusedPage(nobody, { reason: 'broken', requestId: 'req_0123456789' }),
    archive: archivePage(context, { issues, page: 2, hasMore: true }),
    'archive-empty': archivePage(context, { issues: [], page: 1, hasMore: false }),
    issue: issuePage(context, issue),
  };
}
