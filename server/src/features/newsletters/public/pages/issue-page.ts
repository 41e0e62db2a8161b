import { show } from '#features/reader-pages';
import { type Article } from '#platform/html/article.ts';
import { type Html, html, trusted } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { articleData } from '#platform/pages/article-data.ts';
import { isolated } from '#platform/pages/layout.ts';
import { say } from '#platform/pages/say-text.ts';
import { shareHead } from '#platform/pages/share-head.ts';
import { ARCHIVE_CACHE, indexing } from './archive-page.ts';
import { feedLinks } from './feed-links.ts';
import { authorOf, type PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssue, Neighbours } from './queries.ts';
import { sentOn } from './past-issues.ts';
import { signUpBox } from './subscribe-page.ts';

/** An issue in the archive, as an article. `article` is what `articleOf` made of the author's html. */
export function issuePage(
  context: PageContext,
  issue: ArchivedIssue,
  { article, neighbours }: { article: Article; neighbours: Neighbours },
): Answer {
  const { newsletter, locale, origin } = context;
  const { pages } = locale.messages;
  const links = pageLinks(context);
  const around = [neighbour(context, neighbours.older, 'prev'), neighbour(context, neighbours.newer, 'next')].filter(
    (one) => one !== null,
  );
  const shared = {
    site: newsletter.name,
    title: issue.subject,
    description: issue.preheader ?? untitled(article.summary, issue.subject),
    address: origin + links.issue(issue.slug),
    type: 'article',
    image: article.image ?? newsletter.logoUrl,
    isLargeImage: article.image !== null,
    publishedAt: issue.sentAt,
  } as const;
  const publisher = { name: newsletter.name, address: origin + links.subscribe, logo: newsletter.logoUrl };
  return show(context, {
    title: issue.subject,
    isArticle: true,
    ...(newsletter.signupEnabled
      ? { corner: html`<a class="button" href="${links.subscribe}">${pages.subscribeLink}</a>` }
      : {}),
    standfirst: html`${issue.preheader ? html`<p class="standfirst">${issue.preheader}</p>\n` : null}${byline(context, issue, article)}`,
    head: html`${shareHead(shared)}${feedLinks(context)}${newsletter.archiveIndexable ? articleData({ ...shared, language: locale.language, image: article.image, publisher }) : null}`,
    rights: { ...indexing(context), imagesFrom: ["'self'", 'https:'], cacheControl: ARCHIVE_CACHE },
    content: html`<article class="written" lang="${locale.language}" dir="auto">
${shownArticle(article.html, issue.subject)}
</article>
${signUpBox(context, 'issue')}
<nav aria-label="${pages.archiveTitle}">
${around.length === 0 ? null : html`<div class="between">\n${around}</div>\n`}<a class="row" href="${links.archive}">${pages.archiveLink}</a>
<a class="row" href="${mailAbout(issue.subject, shared.address)}">${pages.shareLink}</a>
<a class="row" href="${links.rss}">${pages.feedLink}</a>
</nav>`,
  });
}

/** Shorter than this it is read before anybody has asked how long it takes. */
const MINUTES_MIN = 2;

/** The author, the day, and how long it takes to read. */
function byline(context: PageContext, issue: ArchivedIssue, { minutes }: Article): Html {
  const { newsletter, locale } = context;
  const author = authorOf(newsletter);
  const duration = new Intl.NumberFormat(locale.language, { style: 'unit', unit: 'minute', unitDisplay: 'short' });
  const parts = [
    ...(author === null ? [] : [isolated(author)]),
    sentOn(context, issue),
    ...(minutes < MINUTES_MIN ? [] : [say(locale.messages.pages.readingTime, { minutes: duration.format(minutes) })]),
  ];
  return html`<p class="quiet dated">${parts.map((part, at) => html`${at === 0 ? null : ' · '}${part}`)}</p>\n`;
}

/** A letter that its reader addresses: nobody else is told of it. */
const mailAbout = (subject: string, address: string): string =>
  `mailto:?subject=${encodeURIComponent(subject.toWellFormed())}&body=${encodeURIComponent(address)}`;

/** The summary of a text that begins with its title. */
const untitled = (summary: string, title: string): string =>
  summary.startsWith(title) ? summary.slice(title.length).trim() : summary;

function neighbour(context: PageContext, issue: ArchivedIssue | undefined, rel: 'prev' | 'next'): Html | null {
  if (issue === undefined) return null;
  const { previousIssue, nextIssue } = context.locale.messages.pages;
  const label = rel === 'prev' ? previousIssue : nextIssue;
  return html`<a rel="${rel}" href="${pageLinks(context).issue(issue.slug)}"><span class="quiet">${label}</span> ${isolated(issue.subject)}</a>\n`;
}

/**
 * Mail often begins with its subject as a heading, inside what places it: on the page it is there already. A table of
 * data scrolls where it is too wide, so a keyboard must reach it.
 */
function shownArticle(article: string, subject: string): Html {
  const [start = '', around = '', said = ''] =
    /^((?:<(?:div|table|tbody|tr|td)(?=[ >])[^>]*>\s*)*)<h2[^>]*>([^<]*)<\/h2>\s*/.exec(article) ?? [];
  const isSame =
    start !== '' && said.trim() === html`${subject.trim()}`.text.replaceAll('&#39;', "'").replaceAll('&quot;', '"');
  const untitled = isSame ? around + article.slice(start.length) : article;
  // Sanitised by `articleOf`, which writes tags in one form.
  return trusted(untitled.replace(/<table(?![^>]* role="presentation")(?=[ >])/g, '<table tabindex="0"'));
}
