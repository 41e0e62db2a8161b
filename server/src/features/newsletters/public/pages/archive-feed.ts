import { articleOf } from '#platform/html/article.ts';
import type { Feed, FeedEntry } from '#platform/pages/feeds.ts';
import { forNobody, namedForNobody } from './for-nobody.ts';
import { authorOf, type PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssueInFeed } from './queries.ts';

/** The newest issues, as nobody in particular reads them. */
export async function feedOf(context: PageContext, issues: readonly ArchivedIssueInFeed[]): Promise<Feed> {
  const { newsletter, locale, origin } = context;
  const links = pageLinks(context);
  const entries: FeedEntry[] = [];
  for (const issue of issues) entries.push(await entryOf(context, issue));
  return {
    title: newsletter.name,
    description: newsletter.description,
    author: authorOf(newsletter),
    language: locale.language,
    logoUrl: newsletter.logoUrl,
    pageUrl: origin + links.archive,
    rssUrl: origin + links.rss,
    jsonUrl: origin + links.jsonFeed,
    isIndexed: newsletter.archiveIndexable,
    entries,
  };
}

async function entryOf(context: PageContext, issue: ArchivedIssueInFeed): Promise<FeedEntry> {
  const { id, slug, subject, preheader, sentAt } = await namedForNobody(context, issue);
  const url = context.origin + pageLinks(context).issue(slug);
  const body = issue.htmlBody === null ? null : await forNobody(context, issue, [issue.htmlBody, 'html']);
  const article = body === null ? null : articleOf(body, url);
  return {
    id,
    url,
    title: subject,
    summary: preheader ?? (article?.summary || null),
    html: article?.html || null,
    image: article?.image ?? null,
    at: sentAt,
  };
}
