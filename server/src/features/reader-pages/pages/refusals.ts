import type { PageFailure } from '#platform/http/page.ts';
import { html, type Html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { say, sayDuration } from '#platform/pages/say-text.ts';
import { show } from './show.ts';
import type { AnyReaderContext } from '../reader-context.ts';
import { sayHtml } from '#platform/pages/say-html.ts';

/** Why somebody is not served. */
export type Refusal =
  | { reason: 'too_many'; retryAfterSeconds: number }
  | { reason: 'closed' }
  | { reason: 'unreadable'; status?: number }
  | { reason: 'broken'; requestId: string; status?: number };

/** 404: the newsletter or the subscriber that a good link was for has been removed. */
export const gonePage = (context: AnyReaderContext): Answer => {
  const { goneTitle, goneText } = context.locale.messages.pages;
  return show(context, { title: goneTitle, status: 404, content: html`<p role="alert">${goneText}</p>` });
};

/**
 * 400: a link that is damaged, or has expired; nothing of the link is shown. `askAgain` is the form for a new one, if
 * there is one.
 */
export function badLinkPage(context: AnyReaderContext, askAgain: Html | null): Answer {
  const { pages } = context.locale.messages;
  return show(context, {
    title: pages.badLinkTitle,
    status: 400,
    content: html`<p role="alert">${pages.badLinkText}</p>
${
  askAgain === null
    ? null
    : html`<p>${pages.newLinkText}</p>
${askAgain}`
}`,
  });
}

/** 404: an address that names no newsletter, or no issue of one. `instead`: links to what there is. */
export const notFoundPage = (context: AnyReaderContext, instead: Html | null = null): Answer => {
  const { notFoundTitle, notFoundText } = context.locale.messages.pages;
  const content = html`<p role="alert">${notFoundText}</p>\n${instead}`;
  return show(context, { title: notFoundTitle, status: 404, content });
};

/** The page of a failure that no other page shows. */
export function failurePage(context: AnyReaderContext, { error, status, requestId }: PageFailure): Answer {
  const { retryAfterSeconds = 60 } = error.extras;
  if (error.name === 'rate_limit_error') return refusedPage(context, { reason: 'too_many', retryAfterSeconds });
  if (status >= 500) return refusedPage(context, { reason: 'broken', requestId, status });
  return refusedPage(context, { reason: 'unreadable', status });
}

/** 429 with Retry-After, 422 for a newsletter that takes nobody, 400 or 500 unless another status is given. */
export function refusedPage(context: AnyReaderContext, refusal: Refusal): Answer {
  const { pages } = context.locale.messages;
  switch (refusal.reason) {
    case 'too_many':
      return refused(context, pages.waitTitle, 429, [
        say(pages.waitText, { duration: sayDuration(context.locale.language, refusal.retryAfterSeconds) }),
        { 'retry-after': String(Math.max(1, Math.ceil(refusal.retryAfterSeconds))) },
      ]);
    case 'closed':
      return refused(context, pages.closedTitle, 422, [
        sayHtml(pages.closedText, { newsletter: context.brand?.name ?? 'Posthorn' }),
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
  context: AnyReaderContext,
  title: string,
  status: number,
  [text, headers = {}]: [Html | string, Record<string, string>?],
): Answer {
  return show(context, {
    title,
    status,
    headers,
    content: html`<p role="alert">${text}</p>
${context.formAt === null ? null : html`<p><a class="row" href="${context.formAt}">${context.locale.messages.pages.backToForm}</a></p>`}`,
  });
}
