import { type Locale, type Messages, show } from '#features/reader-pages';
import { createHash } from 'node:crypto';
import { type Html, html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import type { Embedding } from '#platform/pages/layout.ts';
import { feedLinks } from './feed-links.ts';
import { embedField, type FormProblem } from './form-state.ts';
import { mailboxLink } from './mailbox-link.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import { proofWidget } from './proof-widget.ts';
import { pastIssues } from './past-issues.ts';
import type { ArchivedIssue } from './queries.ts';
import { sayHtml } from '#platform/pages/say-html.ts';
import { shareHead } from '#platform/pages/share-head.ts';

export interface SubscribeForm {
  /** `fillTimeToken`: posted back as `shown_at`. Left out on a page that caches keep. */
  fillTime?: string;
  /** The values typed before, or given with the address of the page. Shown as text, whatever it is. */
  values?: { email?: string | undefined; name?: string | undefined; source?: string | undefined };
  /** The page is 400 with one, and 422 for an address that is refused. */
  problem?: FormProblem | undefined;
  /** The newest issues, to read before subscribing. None in a frame. */
  latest?: readonly ArchivedIssue[];
}

/**
 * The form. It posts `email`, `name`, `source`, `website` (the honeypot), `shown_at`, `form_version` and, in a frame,
 * `embed` to /api/n/:slug/subscribe, which leads to a page. With `context.embedded` it is `embedPage`.
 */
export function subscribePage(context: PageContext, form: SubscribeForm): Answer {
  const { newsletter, locale, embedded } = context;
  const { pages } = locale.messages;
  const isLine = embedded?.layout === 'line';
  return show(context, {
    title: newsletter.name,
    isFront: !isLine,
    isBare: isLine,
    status: statusOf(form.problem),
    ...(embedded === null ? { head: frontHead(context) } : {}),
    rights: {
      ...(embedded === null && form.problem === undefined ? { indexed: true } : {}),
      ...(context.proof === null || !newsletter.signupEnabled ? {} : { widgetFrom: context.proof.service.widgetFrom }),
    },
    content: html`${
      newsletter.signupEnabled
        ? isLine
          ? lineForm(context, form)
          : fullForm(context, form)
        : html`<p role="status">${sayHtml(pages.closedText, { newsletter: newsletter.name })}</p>`
    }
${toRead(context, form.latest)}`,
  });
}

/** Before the first issue there is nothing to read, and no way to it. */
function toRead(context: PageContext, latest: readonly ArchivedIssue[] = []): Html | null {
  if (latest.length === 0) return null;
  const { archiveLink } = context.locale.messages.pages;
  return html`${pastIssues(context, latest)}
<p><a class="row" href="${pageLinks(context).archive}">${archiveLink}</a></p>`;
}

function frontHead(context: PageContext): Html {
  const { name, description, archiveEnabled, logoUrl } = context.newsletter;
  const address = context.origin + pageLinks(context).subscribe;
  const shared = { site: name, title: name, description, address, type: 'website', image: logoUrl } as const;
  return html`${shareHead(shared)}${archiveEnabled ? feedLinks(context) : null}`;
}

/** The form for a frame on another site: without cookies, far below 15 kB, and its answers stay in the frame. */
export const embedPage = (context: PageContext, form: SubscribeForm, embedding: Embedding): Answer =>
  subscribePage({ ...context, embedded: embedding }, form);

/** Which wording of the form somebody agreed to, kept with their consent: language and a hash of its texts. */
export function formVersion({ language, messages: { pages } }: Locale, doubleOptIn: boolean): string {
  const wording = [pages.emailLabel, pages.nameLabel, pages.subscribeButton, privacy(pages, doubleOptIn)].join('\n');
  return `${language}-${createHash('sha256').update(wording).digest('hex').slice(0, 12)}`;
}

const privacy = (pages: Messages['pages'], doubleOptIn: boolean): string =>
  doubleOptIn ? pages.privacyWithConfirmation : pages.privacy;

const statusOf = (problem: FormProblem | undefined): number => {
  if (problem === undefined) return 200;
  return problem === 'email_refused' ? 422 : 400;
};

const MESSAGES = {
  email_missing: 'emailMissing',
  email_invalid: 'emailInvalid',
  email_refused: 'emailRefused',
  name_invalid: 'nameInvalid',
  too_fast: 'tooFast',
  not_human: 'notHuman',
} as const satisfies Record<FormProblem, keyof Messages['pages']>;

function fullForm(context: PageContext, form: SubscribeForm): Html {
  const { newsletter, locale } = context;
  const { pages } = locale.messages;
  const { email = '', name = '' } = form.values ?? {};
  const { said, ofEmail, ofName } = problemIn(context, form);
  return html`${said === undefined ? null : html`<p class="alert" role="alert">${ofEmail || ofName ? pages.problemTitle : said}</p>\n`}<form method="post" action="${pageLinks(context).submitSubscribe}" accept-charset="utf-8" novalidate>
<div class="field">
<label for="email">${pages.emailLabel}</label>
<input id="email" name="email" type="email" value="${email}" required maxlength="320" autocomplete="email" inputmode="email"${wrong(context, ofEmail, 'email')}>
${ofEmail ? problem('email', said) : null}</div>
${
  newsletter.askName
    ? html`<div class="field">
<label for="name">${pages.nameLabel}</label>
<input id="name" name="name" type="text" value="${name}" maxlength="64" autocomplete="name"${wrong(context, ofName, 'name')}>
${ofName ? problem('name', said) : null}</div>
`
    : null
}${unseenFields(context, form)}${proofWidget(context)}<button type="submit">${pages.subscribeButton}</button>
</form>
<p class="quiet">${privacy(pages, newsletter.doubleOptIn)}</p>`;
}

/** The address alone, with the button beside it where there is room. */
function lineForm(context: PageContext, form: SubscribeForm): Html {
  const { newsletter, locale } = context;
  const { pages } = locale.messages;
  const { said } = problemIn(context, form);
  return html`<form class="line" method="post" action="${pageLinks(context).submitSubscribe}" accept-charset="utf-8" novalidate>
<div class="field">
<label class="seen-by-ear" for="email">${pages.emailLabel}</label>
<input id="email" name="email" type="email" value="${form.values?.email ?? ''}" placeholder="${pages.emailLabel}" required maxlength="320" autocomplete="email" inputmode="email"${wrong(context, said !== undefined, 'email')}>
${said === undefined ? null : problem('email', said)}</div>
${unseenFields(context, form)}<button type="submit">${pages.subscribeButton}</button>
${proofWidget(context)}</form>
<p class="quiet">${privacy(pages, newsletter.doubleOptIn)}</p>`;
}

/**
 * In an issue and in the archive. These pages are kept in caches, so the form says no time. `isOpen`: without a box
 * around it, below the name of the newsletter, so that its heading is for those who listen. Where a sign-up needs a
 * proof, a link leads to the form, so that nothing runs on the pages that people read.
 */
export function signUpBox(context: PageContext, source: string, { isOpen = false } = {}): Html | null {
  const { newsletter, locale } = context;
  if (!newsletter.signupEnabled) return null;
  if (context.proof !== null) {
    const { subscribe } = pageLinks(context);
    return html`<p><a class="row" href="${subscribe}">${locale.messages.pages.subscribeLink}</a></p>`;
  }
  const title = sayHtml(locale.messages.pages.signUpTitle, { newsletter: newsletter.name });
  return html`<section class="sign-up${isOpen ? ' open' : ''}" aria-labelledby="sign-up">
<h2${isOpen ? html` class="seen-by-ear"` : null} id="sign-up">${title}</h2>
${lineForm(context, { values: { source } })}
</section>`;
}

function problemIn(context: PageContext, form: SubscribeForm) {
  const said = form.problem === undefined ? undefined : context.locale.messages.pages[MESSAGES[form.problem]];
  const ofName = form.problem === 'name_invalid';
  return {
    said,
    ofName,
    ofEmail: said !== undefined && !ofName && form.problem !== 'too_fast' && form.problem !== 'not_human',
  };
}

/** The trap for programs, and what goes with the form. */
function unseenFields({ newsletter, locale, embedded }: PageContext, { values, fillTime }: SubscribeForm): Html {
  const source = values?.source ?? '';
  return html`<div class="trap" aria-hidden="true"><label for="website">${locale.messages.pages.websiteLabel}</label>
<input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></div>
${hidden('source', source === '' ? (embedded === null ? 'page' : 'embed') : source)}${fillTime === undefined ? null : hidden('shown_at', fillTime)}${hidden('form_version', formVersion(locale, newsletter.doubleOptIn))}${embedded === null ? null : hidden('embed', embedField(embedded))}`;
}

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">\n`;

/** The field gets the focus, but in a frame: the page around it has its own. */
const wrong = ({ embedded }: PageContext, isWrong: boolean, field: string): Html | null =>
  isWrong
    ? html` aria-invalid="true" aria-describedby="${field}-problem"${embedded === null ? html` autofocus` : null}`
    : null;

const problem = (field: string, text: string | undefined): Html =>
  html`<p class="problem" id="${field}-problem">${text}</p>\n`;

/** After the form: the same whether or not the address was on the list already. */
export function checkInboxPage(context: PageContext, sent: { email?: string | undefined; again?: boolean }): Answer {
  const { pages } = context.locale.messages;
  const { email, again } = sent;
  const said = again === true ? pages.sentAgainText : pages.checkInboxText;
  return show(context, {
    title: pages.checkInboxTitle,
    content: html`${email === undefined ? null : html`<p role="status">${sayHtml(said, { email })}</p>\n${mailboxLink(context, email)}`}<p class="quiet">${pages.checkInboxHint}</p>
${sendAgain(context, { email, label: pages.sendAgainButton, isSecond: true })}`,
  });
}

/** Posts `email` (and `embed`) to /api/n/:slug/resend. Without an email it asks for one. */
export function sendAgain(
  context: PageContext,
  form: { email?: string | undefined; label: string; isSecond?: boolean },
): Html {
  const { pages } = context.locale.messages;
  const field =
    form.email === undefined
      ? html`<div class="field">
<label for="email">${pages.emailLabel}</label>
<input id="email" name="email" type="email" required maxlength="320" autocomplete="email" inputmode="email">
</div>`
      : hidden('email', form.email);
  return html`<form method="post" action="${pageLinks(context).submitResend}" accept-charset="utf-8">
${field}${context.embedded === null ? null : hidden('embed', embedField(context.embedded))}<button type="submit"${form.isSecond === true ? html` class="second"` : null}>${form.label}</button>
</form>`;
}

/** After the form of a newsletter that asks for no confirmation. */
export function subscribedPage(context: PageContext, latest: readonly ArchivedIssue[]): Answer {
  const { pages } = context.locale.messages;
  return show(context, { title: pages.subscribedTitle, content: welcome(context, latest) });
}

/** Of a new reader, with the newest issues to begin with. */
export const welcome = (context: PageContext, latest: readonly ArchivedIssue[]): Html => {
  const { newsletter, locale } = context;
  const { welcomeText } = locale.messages.pages;
  return html`<p role="status">${sayHtml(welcomeText, { newsletter: newsletter.name })}</p>
${toRead(context, latest)}`;
};
