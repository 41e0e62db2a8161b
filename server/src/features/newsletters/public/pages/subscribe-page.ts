import { type Locale, type Messages, show } from '#features/reader-pages';
import { createHash } from 'node:crypto';
import { type Html, html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { feedLinks } from './archive-page.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import { sayHtml } from '#platform/pages/say-html.ts';
import { shareHead } from '#platform/pages/share-head.ts';

/** The faults in the submitted form. */
export type FormProblem = 'email_missing' | 'email_invalid' | 'email_refused' | 'name_invalid' | 'too_fast';

export interface SubscribeForm {
  /** `fillTimeToken`: posted back as `shown_at`. */
  fillTime: string;
  /** The values typed before, or given with the address of the page. Shown as text, whatever it is. */
  values?: { email?: string | undefined; name?: string | undefined; source?: string | undefined };
  problem?: FormProblem;
  /** 200; with a problem 400, and 422 for an address that is refused. */
  status?: number;
}

/**
 * The form. It posts `email`, `name`, `source`, `website` (the honeypot), `shown_at`, `form_version` and, in a frame,
 * `embed=1` to /api/n/:slug/subscribe, where the answer is a page. With `context.embedded` it is `embedPage`.
 */
export function subscribePage(context: PageContext, form: SubscribeForm): Answer {
  const { newsletter, locale, embedded } = context;
  const links = pageLinks(context);
  const { pages } = locale.messages;
  return show(context, {
    title: newsletter.name,
    isFront: true,
    status: form.status ?? statusOf(form.problem),
    head: embedded ? html`` : frontHead(context, links.subscribe),
    ...(embedded || form.problem !== undefined ? {} : { rights: { indexed: true } }),
    content: newsletter.signupEnabled
      ? html`${fields(context, form)}
${embedded || !newsletter.archiveEnabled ? null : html`<p><a class="row" href="${links.archive}">${pages.archiveLink}</a></p>`}`
      : html`<p role="status">${sayHtml(pages.closedText, { newsletter: newsletter.name })}</p>`,
  });
}

function frontHead(context: PageContext, address: string): Html {
  const { name: title, description, archiveEnabled } = context.newsletter;
  return html`${shareHead({ site: context.newsletter.name, title, description, address, type: 'website' })}${archiveEnabled ? feedLinks(context) : null}`;
}

/** The form for a frame on another site: without cookies, far below 15 kB, and its answers stay in the frame. */
export const embedPage = (context: PageContext, form: SubscribeForm): Answer =>
  subscribePage({ ...context, embedded: true }, form);

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
} as const satisfies Record<FormProblem, keyof Messages['pages']>;

function fields(context: PageContext, form: SubscribeForm): Html {
  const { newsletter, locale, embedded } = context;
  const { pages } = locale.messages;
  const { email = '', name = '', source = '' } = form.values ?? {};
  const said = form.problem === undefined ? undefined : pages[MESSAGES[form.problem]];
  const ofName = form.problem === 'name_invalid';
  const ofEmail = said !== undefined && !ofName && form.problem !== 'too_fast';
  return html`${said === undefined ? null : html`<p class="alert" role="alert">${ofEmail || ofName ? pages.problemTitle : said}</p>\n`}<form method="post" action="${pageLinks(context).submitSubscribe}" accept-charset="utf-8" novalidate>
<div class="field">
<label for="email">${pages.emailLabel}</label>
<input id="email" name="email" type="email" value="${email}" required maxlength="320" autocomplete="email" inputmode="email"${wrong(context, ofEmail, 'email')}>
${ofEmail ? problem('email', said) : null}</div>
<div class="field">
<label for="name">${pages.nameLabel}</label>
<input id="name" name="name" type="text" value="${name}" maxlength="64" autocomplete="name"${wrong(context, ofName, 'name')}>
${ofName ? problem('name', said) : null}</div>
<div class="trap" aria-hidden="true"><label for="website">${pages.websiteLabel}</label>
<input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></div>
${hidden('source', source === '' ? (embedded ? 'embed' : 'page') : source)}${hidden('shown_at', form.fillTime)}${hidden('form_version', formVersion(locale, newsletter.doubleOptIn))}${embedded ? hidden('embed', '1') : null}<button type="submit">${pages.subscribeButton}</button>
</form>
<p class="quiet">${privacy(pages, newsletter.doubleOptIn)}</p>`;
}

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">\n`;

/** The field gets the focus, but in a frame: the page around it has its own. */
const wrong = ({ embedded }: PageContext, isWrong: boolean, field: string): Html | null =>
  isWrong ? html` aria-invalid="true" aria-describedby="${field}-problem"${embedded ? null : html` autofocus`}` : null;

const problem = (field: string, text: string | undefined): Html =>
  html`<p class="problem" id="${field}-problem">${text}</p>\n`;

/** After the form: the same whether or not the address was on the list already. */
export function checkInboxPage(context: PageContext, sent: { email: string; again?: boolean }): Answer {
  const { pages } = context.locale.messages;
  return show(context, {
    title: pages.checkInboxTitle,
    content: html`<p role="status">${sayHtml(sent.again === true ? pages.sentAgainText : pages.checkInboxText, { email: sent.email })}</p>
<p class="quiet">${pages.checkInboxHint}</p>
${sendAgain(context, { email: sent.email, label: pages.sendAgainButton, isSecond: true })}`,
  });
}

/** Posts `email` (and `embed`) to /api/n/:slug/resend. Without an email it asks for one. */
export function sendAgain(context: PageContext, form: { email?: string; label: string; isSecond?: boolean }): Html {
  const { pages } = context.locale.messages;
  const field =
    form.email === undefined
      ? html`<div class="field">
<label for="email">${pages.emailLabel}</label>
<input id="email" name="email" type="email" required maxlength="320" autocomplete="email" inputmode="email">
</div>`
      : hidden('email', form.email);
  return html`<form method="post" action="${pageLinks(context).submitResend}" accept-charset="utf-8">
${field}${context.embedded ? hidden('embed', '1') : null}<button type="submit"${form.isSecond === true ? html` class="second"` : null}>${form.label}</button>
</form>`;
}

/** After the form of a newsletter that asks for no confirmation. */
export function subscribedPage(context: PageContext): Answer {
  const { pages } = context.locale.messages;
  return show(context, { title: pages.subscribedTitle, content: welcome(context) });
}

export const welcome = (context: PageContext): Html => {
  const { newsletter, embedded, locale } = context;
  const { pages } = locale.messages;
  return html`<p role="status">${sayHtml(pages.welcomeText, { newsletter: newsletter.name })}</p>
${embedded || !newsletter.archiveEnabled ? null : html`<p><a class="row" href="${pageLinks(context).archive}">${pages.archiveLink}</a></p>`}`;
};
