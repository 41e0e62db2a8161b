import { show } from '#features/reader-pages';
import { html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import type { PageContext } from './page-context.ts';
import { tokenLink } from './page-links.ts';
import type { ArchivedIssue } from './queries.ts';
import { sayHtml } from '#platform/pages/say-html.ts';
import { welcome } from './subscribe-page.ts';

export const confirmedPage = (context: PageContext, latest: readonly ArchivedIssue[]): Answer =>
  show(context, { title: context.locale.messages.pages.confirmedTitle, content: welcome(context, latest) });

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
