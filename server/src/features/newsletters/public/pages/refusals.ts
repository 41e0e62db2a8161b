import { html, type Html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { say, sayDuration } from '#platform/pages/say-text.ts';
import { show } from './show.ts';
import type { AnyPageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import { sayHtml } from '#platform/pages/say-html.ts';

/** Why somebody is not served. */
export type Refusal =
  | { reason: 'too_many'; retryAfterSeconds: number }
  | { reason: 'closed' }
  | { reason: 'unreadable'; status?: number }
  | { reason: 'broken'; requestId: string; status?: number };

/** 404: the newsletter or the subscriber that a good link was for has been removed. */
export const gonePage = (context: AnyPageContext): Answer => {
  const { goneTitle, goneText } = context.locale.messages.pages;
  return show(context, { title: goneTitle, status: 404, content: html`<p role="alert">${goneText}</p>` });
};

/** 404: an address that names no newsletter, or no issue of one. */
export const notFoundPage = (context: AnyPageContext): Answer => {
  const { notFoundTitle, notFoundText } = context.locale.messages.pages;
  return show(context, { title: notFoundTitle, status: 404, content: html`<p role="alert">${notFoundText}</p>` });
};

/** 429 with Retry-After, 422 for a newsletter that takes nobody, 400 or 500 unless another status is given. */
export function refusedPage(context: AnyPageContext, refusal: Refusal): Answer {
  const { pages } = context.locale.messages;
  switch (refusal.reason) {
    case 'too_many':
      return refused(context, pages.waitTitle, 429, [
        say(pages.waitText, { duration: sayDuration(context.locale.language, refusal.retryAfterSeconds) }),
        { 'retry-after': String(Math.max(1, Math.ceil(refusal.retryAfterSeconds))) },
      ]);
    case 'closed':
      return refused(context, pages.closedTitle, 422, [
        sayHtml(pages.closedText, { newsletter: context.newsletter?.name ?? 'Posthorn' }),
      ]);
    case 'unreadable':
      return refused(context, pages.failedTitle, refusal.status ?? 400, [pages.unreadableText]);
    case 'broken':
      return refused(context, pages.failedTitle, refusal.status ?? 500, [
        sayHtml(pages.brokenText, { request: refusal.requestId }),
      ]);
  }
}

function refused(
  context: AnyPageContext,
  title: string,
  status: number,
  [text, headers = {}]: [Html | string, Record<string, string>?],
): Answer {
  const { newsletter } = context;
  const back =
    newsletter === null ? null : pageLinks({ ...context, newsletter })[context.embedded ? 'embed' : 'subscribe'];
  return show(context, {
    title,
    status,
    headers,
    content: html`<p role="alert">${text}</p>
${back === null ? null : html`<p><a class="row" href="${back}">${context.locale.messages.pages.backToForm}</a></p>`}`,
  });
}
