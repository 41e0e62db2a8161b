import { show } from '#features/reader-pages';
import { type Article } from '#platform/html/article.ts';
import { type Html, html, trusted } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { isolated } from '#platform/pages/layout.ts';
import { shareHead } from '#platform/pages/share-head.ts';
import { ARCHIVE_CACHE, indexing, sentOn } from './archive-page.ts';
import { feedLinks } from './feed-links.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssue, Neighbours } from './queries.ts';
import { signUpBox } from './subscribe-page.ts';

/** An issue in the archive, as an article. `article` is what `articleOf` made of the author's html. */
export function issuePage(
  context: PageContext,
  issue: ArchivedIssue,
  { article, neighbours }: { article: Article; neighbours: Neighbours },
): Answer {
  const { newsletter, locale, origin } = context;
  const links = pageLinks(context);
  const shared = {
    site: newsletter.name,
    title: issue.subject,
    description: issue.preheader ?? article.summary,
    address: origin + links.issue(issue.slug),
    type: 'article',
    image: article.image ?? newsletter.logoUrl,
    isLargeImage: article.image !== null,
    publishedAt: issue.sentAt,
  } as const;
  return show(context, {
    title: issue.subject,
    isArticle: true,
    homeAt: links.subscribe,
    head: html`${shareHead(shared)}${feedLinks(context)}`,
    rights: { ...indexing(context), imagesFrom: ['https:'], cacheControl: ARCHIVE_CACHE },
    content: html`${issue.preheader ? html`<p class="standfirst">${isolated(issue.preheader)}</p>\n` : null}<p class="quiet dated">${sentOn(context, issue)}</p>
<article class="written" lang="${locale.language}">
${withoutTitle(article.html, issue.subject)}
</article>
${signUpBox(context, 'issue')}
<nav aria-label="${locale.messages.pages.archiveTitle}">
${neighbour(context, neighbours.older, 'prev')}${neighbour(context, neighbours.newer, 'next')}<a class="row" href="${links.archive}">${locale.messages.pages.archiveTitle}</a>
</nav>`,
  });
}

function neighbour(context: PageContext, issue: ArchivedIssue | undefined, rel: 'prev' | 'next'): Html | null {
  if (issue === undefined) return null;
  const { previousIssue, nextIssue } = context.locale.messages.pages;
  const label = rel === 'prev' ? previousIssue : nextIssue;
  return html`<a class="row" rel="${rel}" href="${pageLinks(context).issue(issue.slug)}">${label}: ${isolated(issue.subject)}</a>\n`;
}

/** Mail often begins with its subject as a heading: on the page it is there already. */
function withoutTitle(article: string, subject: string): Html {
  const [first = '', said = ''] = /^<h2[^>]*>([^<]*)<\/h2>\s*/.exec(article) ?? [];
  const isSame =
    first !== '' && said.trim() === html`${subject.trim()}`.text.replaceAll('&#39;', "'").replaceAll('&quot;', '"');
  // Sanitised by `articleOf`.
  return trusted(isSame ? article.slice(first.length) : article);
}
