import type { Answer } from '#platform/http/route.ts';
import { articleOf } from '#platform/html/article.ts';
import type { Embedding } from '#platform/pages/layout.ts';
import * as reader from '#features/reader-pages';
import { archivePage } from './archive-page.ts';
import { confirmButtonPage, confirmedPage } from './confirm-pages.ts';
import { issuePage } from './issue-page.ts';
import { nothingHere } from './nothing-here.ts';
import { type PageContext, pageContext, type PageNewsletter } from './page-context.ts';
import { searchPage } from './search-page.ts';
import { checkInboxPage, embedPage, sendAgain, subscribedPage, subscribePage } from './subscribe-page.ts';

export const A_NEWSLETTER: PageNewsletter = {
  name: 'Slow Mornings',
  slug: 'slow-mornings',
  fromName: 'Ada Lovelace',
  description: 'One letter every Sunday about reading, walking and doing one thing at a time.',
  accentColor: '#b4532a',
  logoUrl: null,
  doubleOptIn: true,
  archiveEnabled: true,
  archiveIndexable: true,
  askName: true,
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
  body?: string;
}

const FULL: Embedding = { layout: 'full', theme: 'light' };

/** An author's html: everything that an article has a style for. */
const AN_ISSUE = `<h1>What a map leaves out</h1>
<p>This week we walked along the river, from the mill to the sea, and wrote down what the map does not say. It says
nothing of the <em>smell of bread</em> at the third bridge, and <a href="https://example.com/bread">nothing of the
queue</a> in front of it. <code>grep -r bread map/</code> finds nothing.</p>
<h2>Three notes</h2><ul><li>The long way home is longer than it looks, and better.</li><li>A <strong>thermos</strong> is
worth its weight.</li></ul><ol><li>Walk</li><li>Sit down</li></ol>
<blockquote>Not all those who wander are lost.</blockquote>
<pre>const answer = compute(everything, that, is, on, one, very, long, line, of, code, which, has, to, wrap);</pre>
<h3>Figures</h3><table><tr><th>Place</th><th>Minutes</th></tr><tr><td>The mill</td><td>12</td></tr></table>
<table role="presentation" width="600"><tr><td width="48%">One column</td><td width="4%"></td><td width="48%">Another
column, with more words than the first one has</td></tr></table>
<table role="presentation"><tr><td bgcolor="#18181b"><a href="https://example.com/walk"
style="display:inline-block;padding:12px 24px;background-color:#18181b;color:#ffffff">Walk along</a></td></tr></table><hr>
<details><summary>How we walk</summary><p>Slowly, with stops for bread, and <b>never by the road</b>.</p></details>
<details open><summary>What we carry</summary><p>Water.</p></details>
<p style="text-align:center">Until next <mark>Sunday</mark><sup><a href="#fn1">1</a></sup></p><p id="fn1">1. Rain permitting.</p>`;

/** Every page there is, by name: what a test asks of all of them. */
export function everyPage(typed: Typed = {}, language = 'en'): Record<string, Answer> {
  const newsletter = { ...A_NEWSLETTER, ...typed.newsletter };
  const settings = { dashboardUrl: 'https://app.example.com', humanProof: 'none', humanProofSiteKey: null } as const;
  const contextOf = (changes: Partial<PageNewsletter>, embedded: Embedding | null = null): PageContext =>
    pageContext(settings, { ...newsletter, ...changes, language }, { embedded });
  const context = contextOf({});
  const framed = contextOf({}, FULL);
  const nobody = reader.strangerContext(language);
  const { email = 'ada@example.com', name = 'Ada Lovelace', workspaceName = 'Acme' } = typed;
  const values = { email, name, source: name };
  const person = { email, token: 'a-token', action: '/a-link', preferencesAt: '/another-link', workspaceName };
  const preferences = { ...person, name, mayUndo: true };
  const issues = Array.from({ length: 3 }, (_, index) => ({
    id: `01999999-0000-7000-8000-00000000000${index}`,
    slug: `issue-${index}`,
    subject: typed.subject ?? ['The gaps in every map', 'The case for the long way home', 'Small rituals'][index] ?? '',
    preheader: typed.preheader ?? 'Three notes on walking without a plan.',
    sentAt: new Date(Date.UTC(2026, 10 - index, 15, 7)),
  }));
  const long = Array.from({ length: 4 }, () => issues).flat();
  const [issue] = issues;
  if (issue === undefined) throw new Error('there are issues');
  return {
    subscribe: subscribePage(context, { fillTime: 'now', values: {} }),
    'subscribe-latest': subscribePage(context, { fillTime: 'now', latest: issues }),
    'subscribe-missing': subscribePage(context, { fillTime: 'now', problem: 'email_missing', values: { name } }),
    'subscribe-invalid': subscribePage(context, { fillTime: 'now', problem: 'email_invalid', values }),
    'subscribe-refused': subscribePage(context, { fillTime: 'now', problem: 'email_refused', values }),
    'subscribe-name': subscribePage(context, { fillTime: 'now', problem: 'name_invalid', values }),
    'subscribe-fast': subscribePage(context, { fillTime: 'now', problem: 'too_fast', values }),
    'subscribe-closed': subscribePage(contextOf({ signupEnabled: false }), { fillTime: 'now' }),
    'subscribe-short': subscribePage(contextOf({ askName: false }), { fillTime: 'now' }),
    embed: embedPage(context, { fillTime: 'now' }, FULL),
    'embed-dark': embedPage(context, { fillTime: 'now' }, { layout: 'full', theme: 'dark' }),
    'embed-line': embedPage(context, { fillTime: 'now' }, { layout: 'line', theme: 'light' }),
    'embed-line-invalid': embedPage(context, { problem: 'email_invalid', values }, { layout: 'line', theme: 'light' }),
    'embed-invalid': embedPage(context, { fillTime: 'now', problem: 'email_invalid', values }, FULL),
    'embed-check-inbox': checkInboxPage(framed, { email }),
    'check-inbox': checkInboxPage(context, { email }),
    'check-inbox-later': checkInboxPage(context, {}),
    'check-inbox-again': checkInboxPage(context, { email, again: true }),
    subscribed: subscribedPage(context, issues),
    'subscribed-first': subscribedPage(context, []),
    confirmed: confirmedPage(context, issues),
    'confirm-button': confirmButtonPage(context, person),
    'bad-link': reader.badLinkPage(
      context,
      newsletter.signupEnabled ? sendAgain(context, { label: context.locale.messages.pages.newLinkButton }) : null,
    ),
    'bad-link-stranger': reader.badLinkPage(nobody, null),
    gone: reader.gonePage(nobody),
    'not-found': reader.notFoundPage(nobody),
    'not-found-issue': nothingHere(context),
    unsubscribed: reader.unsubscribedPage(context, { ...person, mayUndo: true, hasOthers: true }),
    'unsubscribed-late': reader.unsubscribedPage(context, { ...person, mayUndo: false, hasOthers: false }),
    'unsubscribe-button': reader.unsubscribeButtonPage(context, person),
    everywhere: reader.unsubscribedEverywherePage(context, person),
    undone: reader.undonePage(context, { email, status: 'active' }),
    'undone-pending': reader.undonePage(context, { email, status: 'pending' }),
    'undo-too-late': reader.undoTooLatePage(context),
    preferences: reader.preferencesPage(context, { ...preferences, status: 'active', saved: true }),
    'preferences-left': reader.preferencesPage(context, { ...preferences, status: 'unsubscribed' }),
    'preferences-name': reader.preferencesPage(context, { ...preferences, status: 'pending', problem: 'name_invalid' }),
    'preferences-data': reader.preferencesPage(context, { ...preferences, status: 'active', data: 'sent' }),
    'preferences-unsent': reader.preferencesPage(context, { ...preferences, status: 'active', data: 'unsent' }),
    data: reader.dataPage(context, person),
    'data-erase': reader.eraseQuestionPage(context, person),
    'data-erased': reader.erasedPage(context, person),
    'too-many': reader.refusedPage(context, { reason: 'too_many', retryAfterSeconds: 240 }),
    closed: reader.refusedPage(context, { reason: 'closed' }),
    unreadable: reader.refusedPage(context, { reason: 'unreadable' }),
    broken: reader.refusedPage(nobody, { reason: 'broken', requestId: 'req_0123456789' }),
    archive: archivePage(context, { issues, page: 1, hasMore: true }),
    'archive-second': archivePage(context, { issues, page: 2, hasMore: false }),
    'archive-long': archivePage(context, { issues: long, page: 1, hasMore: false }),
    search: searchPage(context, name, { issues, hasNewer: true, hasOlder: true }),
    'search-nothing': searchPage(context, name, { issues: [], hasNewer: false, hasOlder: false }),
    'archive-empty': archivePage(context, { issues: [], page: 1, hasMore: false }),
    issue: issuePage(context, issue, {
      article: articleOf(typed.body ?? AN_ISSUE, 'https://app.example.com/n/slow-mornings/i/issue-0'),
      neighbours: { older: issues[1], newer: issues[2] },
    }),
    'issue-short': issuePage(
      contextOf({ signupEnabled: false }),
      { ...issue, preheader: null },
      {
        article: articleOf('<p>Hello</p>', 'https://app.example.com/n/slow-mornings/i/issue-0'),
        neighbours: { older: undefined, newer: undefined },
      },
    ),
  };
}
