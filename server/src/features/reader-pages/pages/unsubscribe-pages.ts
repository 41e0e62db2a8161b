import { type Html, html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { show } from './show.ts';
import type { AnyReaderContext, ReaderContext } from '../reader-context.ts';
import { maskedEmail } from '#platform/pages/masked-email.ts';
import { sayHtml } from '#platform/pages/say-html.ts';

/** The address that left, and how: `email` is shown masked. */
export interface Leaving {
  email: string;
  /** The address of the link. It is posted to with `action` undo or everywhere. */
  action: string;
}

/** For those who may be a machine, and where the newsletter asks everybody first. Posts `action` leave. */
export function unsubscribeButtonPage(context: ReaderContext, leaving: Leaving): Answer {
  const { pages } = context.locale.messages;
  return show(context, {
    title: pages.unsubscribeQuestionTitle,
    content: html`<p>${about(context, pages.unsubscribeQuestionText, leaving.email)}</p>
<form method="post" action="${leaving.action}">
<button type="submit" name="action" value="leave">${pages.unsubscribeButton}</button>
</form>`,
  });
}

/** Programs opened links of the email at the time of the visit, so it changed nothing. Posts `action` leave. */
export function stillSubscribedPage(context: ReaderContext, leaving: Leaving): Answer {
  const { pages } = context.locale.messages;
  return show(context, {
    title: pages.stillSubscribedTitle,
    content: html`<p role="status">${about(context, pages.stillSubscribedText, leaving.email)}</p>
<form method="post" action="${leaving.action}">
<button type="submit" name="action" value="leave">${pages.unsubscribeButton}</button>
</form>`,
  });
}

/** 200: the subscription is gone, and nobody knows its address any more: nothing can be noted for it. */
export function endedPage(context: ReaderContext): Answer {
  const { endedTitle, endedText } = context.locale.messages.pages;
  return show(context, {
    title: endedTitle,
    content: html`<p role="status">${sayHtml(endedText, { newsletter: context.brand.name })}</p>`,
  });
}

/** 200: a link of a preview or of a test, which is about nobody. */
export const previewPage = (context: AnyReaderContext): Answer => {
  const { previewTitle, previewText } = context.locale.messages.pages;
  return show(context, { title: previewTitle, content: html`<p role="status">${previewText}</p>` });
};

export interface Left extends Leaving {
  /** Null: the person is not on the list any more, and has nothing to choose. */
  preferencesAt: string | null;
  workspaceName: string;
  mayUndo: boolean;
  /** Is on other lists. */
  hasOthers: boolean;
  /** A picture that the page loads to show that a person sees it: below our own host. */
  seenAt?: string;
  /** The page to which this one goes by itself, to tell what became of the visit. */
  outcomeAt?: string;
}

/** Later than a burst of visits is judged (six seconds), and soon enough that the person is still there. */
const OUTCOME_SECONDS = 12;

/** 200, and the same page at every later visit; without Undo when it is too late for that. */
export function unsubscribedPage(context: ReaderContext, left: Left): Answer {
  const { pages } = context.locale.messages;
  const { seenAt, outcomeAt } = left;
  return show(context, {
    title: pages.unsubscribedTitle,
    ...(outcomeAt === undefined
      ? {}
      : { head: html`<meta http-equiv="refresh" content="${OUTCOME_SECONDS};url=${outcomeAt}">\n` }),
    ...(seenAt === undefined ? {} : { rights: { imagesFrom: ["'self'"] } }),
    content: html`<p role="status">${about(context, pages.unsubscribedText, left.email)}</p>
${
  left.mayUndo
    ? html`<p class="quiet">${pages.undoText}</p>
${act(left, 'undo', pages.undoButton)}`
    : subscribeAgain(context)
}
<div class="more">
${
  left.hasOthers
    ? html`<p class="quiet">${sayHtml(pages.everywhereText, { workspace: left.workspaceName })}</p>
${act(left, 'everywhere', pages.everywhereButton)}
`
    : null
}${left.preferencesAt === null ? null : html`<p><a class="row" href="${left.preferencesAt}">${pages.preferencesLink}</a></p>`}
</div>${seenAt === undefined ? null : html`<img src="${seenAt}" alt="" width="1" height="1">`}`,
  });
}

export function unsubscribedEverywherePage(
  context: ReaderContext,
  left: { email: string; workspaceName: string },
): Answer {
  const { pages } = context.locale.messages;
  const said = sayHtml(pages.everywhereDoneText, { email: maskedEmail(left.email), workspace: left.workspaceName });
  return show(context, { title: pages.everywhereTitle, content: html`<p role="status">${said}</p>` });
}

/** `status` is what they are again. */
export function undonePage(context: ReaderContext, back: { email: string; status: 'active' | 'pending' }): Answer {
  const { pages } = context.locale.messages;
  const said =
    back.status === 'active' ? about(context, pages.undoneText, back.email) : html`${pages.undonePendingText}`;
  return show(context, { title: pages.undoneTitle, content: html`<p role="status">${said}</p>` });
}

/** 409: more than a day ago, or nothing to undo. */
export function undoTooLatePage(context: ReaderContext): Answer {
  const { pages } = context.locale.messages;
  return show(context, {
    title: pages.undoTooLateTitle,
    status: 409,
    content: html`<p role="alert">${pages.undoTooLateText}</p>
${subscribeAgain(context)}`,
  });
}

const about = ({ brand }: ReaderContext, text: string, email: string): Html =>
  sayHtml(text, { email: maskedEmail(email), newsletter: brand.name });

const act = ({ action }: Leaving, value: 'undo' | 'everywhere', label: string): Html =>
  html`<form method="post" action="${action}">
<button class="second" type="submit" name="action" value="${value}">${label}</button>
</form>`;

const subscribeAgain = ({ subscribeAt, locale }: ReaderContext): Html | null =>
  subscribeAt === null
    ? null
    : html`<p><a class="row" href="${subscribeAt}">${locale.messages.pages.subscribeAgainLink}</a></p>`;
