import { html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import type { LinkPurpose } from '../links/link-token.ts';
import { show } from './show.ts';
import type { AnyPageContext, PageContext } from './page-context.ts';
import { tokenLink } from './page-links.ts';
import { sayHtml } from '#platform/pages/say-html.ts';
import { sendAgain, welcome } from './subscribe-page.ts';

export const confirmedPage = (context: PageContext): Answer =>
  show(context, { title: context.locale.messages.pages.confirmedTitle, content: welcome(context) });

/** For those who may be a machine that looks at links: a press of the button posts to the address of the link. */
export function confirmButtonPage(context: PageContext, link: { token: string }): Answer {
  const { newsletter, locale } = context;
  const { pages } = locale.messages;
  return show(context, {
    title: pages.confirmQuestionTitle,
    content: html`<p>${sayHtml(pages.confirmQuestionText, { newsletter: newsletter.name })}</p>
<form method="post" action="${tokenLink(context, 'nl_confirm', link.token)}">
<button type="submit" name="action" value="confirm">${pages.confirmButton}</button>
</form>`,
  });
}

/**
 * 400: a link that is damaged, or has expired. With the newsletter it belongs to, a link to confirm can be asked for
 * again; nothing of the link is shown.
 */
export function badLinkPage(context: AnyPageContext, link: { purpose: LinkPurpose }): Answer {
  const { newsletter } = context;
  const { pages } = context.locale.messages;
  const mayAskAgain = newsletter !== null && newsletter.signupEnabled && link.purpose === 'nl_confirm';
  return show(context, {
    title: pages.badLinkTitle,
    status: 400,
    content: html`<p role="alert">${pages.badLinkText}</p>
${
  mayAskAgain
    ? html`<p>${pages.newLinkText}</p>
${sendAgain({ ...context, newsletter }, { label: pages.newLinkButton })}`
    : null
}`,
  });
}
