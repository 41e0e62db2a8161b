import type { Feed } from '#platform/pages/feeds.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssue } from './queries.ts';

/** The newest issues. `origin`: scheme and host that people reach us at. */
export function feedOf(context: PageContext, origin: string, issues: readonly ArchivedIssue[]): Feed {
  const { newsletter, locale } = context;
  const links = pageLinks(context);
  return {
    title: newsletter.name,
    description: newsletter.description,
    language: locale.language,
    logoUrl: newsletter.logoUrl,
    pageUrl: origin + links.archive,
    rssUrl: origin + links.rss,
    jsonUrl: origin + links.jsonFeed,
    entries: issues.map(({ id, slug, subject, preheader, sentAt }) => ({
      id,
      url: origin + links.issue(slug),
      title: subject,
      summary: preheader,
      at: sentAt,
    })),
  };
}
