import { html } from '#platform/html/html.ts';
import { Answer } from '#platform/http/route.ts';
import { ARCHIVE_CACHE } from './archive-page.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssue } from './queries.ts';

/** The newest issues, as programs that read feeds want them. `origin`: scheme and host that people reach us at. */
export interface Feed {
  origin: string;
  issues: readonly ArchivedIssue[];
}

/** RSS 2.0, with links that hold anywhere. A summary of each issue: the whole of it is on its page. */
export function rssFeed(context: PageContext, { origin, issues }: Feed): Answer {
  const { newsletter, locale } = context;
  const links = pageLinks(context);
  const items = issues.map((issue) => {
    const url = origin + links.issue(issue.slug);
    return html`<item>
<title>${xmlText(issue.subject)}</title>
<link>${url}</link>
<guid isPermaLink="false">urn:uuid:${issue.id}</guid>
<pubDate>${issue.sentAt.toUTCString()}</pubDate>
<description>${xmlText(issue.preheader ?? issue.subject)}</description>
</item>
`;
  });
  const newest = issues[0]?.sentAt;
  const logo = logoAddress(newsletter.logoUrl);
  const feed = html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${xmlText(newsletter.name)}</title>
<link>${origin + links.archive}</link>
<atom:link href="${origin + links.rss}" rel="self" type="application/rss+xml"/>
<description>${xmlText(newsletter.description ?? newsletter.name)}</description>
<language>${locale.language}</language>
<generator>Posthorn</generator>
${newest === undefined ? null : html`<lastBuildDate>${newest.toUTCString()}</lastBuildDate>\n`}${
  logo === null
    ? null
    : html`<image><url>${logo}</url><title>${xmlText(newsletter.name)}</title><link>${origin + links.archive}</link></image>\n`
}${items}</channel>
</rss>
`;
  return feedAnswer(feed.text, 'application/rss+xml; charset=utf-8');
}

/** JSON Feed 1.1. */
export function jsonFeed(context: PageContext, { origin, issues }: Feed): Answer {
  const { newsletter, locale } = context;
  const links = pageLinks(context);
  const logo = logoAddress(newsletter.logoUrl);
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: newsletter.name,
    home_page_url: origin + links.archive,
    feed_url: origin + links.jsonFeed,
    ...(newsletter.description === null ? {} : { description: newsletter.description }),
    ...(logo === null ? {} : { icon: logo }),
    language: locale.language,
    items: issues.map((issue) => ({
      id: `urn:uuid:${issue.id}`,
      url: origin + links.issue(issue.slug),
      title: issue.subject,
      content_text: issue.preheader ?? issue.subject,
      ...(issue.preheader === null ? {} : { summary: issue.preheader }),
      date_published: issue.sentAt.toISOString(),
    })),
  };
  return feedAnswer(JSON.stringify(feed, null, 2), 'application/feed+json; charset=utf-8');
}

const feedAnswer = (text: string, type: string): Answer =>
  new Answer(text, {
    headers: {
      'content-type': type,
      'cache-control': ARCHIVE_CACHE,
      // Programs of other sites may read what everybody may.
      'access-control-allow-origin': '*',
      'x-robots-tag': 'all',
    },
  });

const logoAddress = (logoUrl: string | null): string | null =>
  logoUrl !== null && URL.canParse(logoUrl) && new URL(logoUrl).protocol === 'https:' ? new URL(logoUrl).href : null;

/** XML 1.0 has no way at all to write these characters (2.2), and readers refuse the whole feed for one of them. */
const xmlText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD');
