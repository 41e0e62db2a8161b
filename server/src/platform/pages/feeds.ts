import { html } from '../html/html.ts';
import { Answer } from '../http/route.ts';

/** A feed, as programs that read feeds need it. Addresses are whole: they hold anywhere. */
export interface Feed {
  title: string;
  description: string | null;
  /** BCP 47. */
  language: string;
  /** A picture; anything but an https address is left out. */
  logoUrl: string | null;
  /** The page that people read. */
  pageUrl: string;
  /** The address of the feed itself, in its format. */
  rssUrl: string;
  jsonUrl: string;
  /** Newest first. A summary of each: the whole of it is on its page. */
  entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** UUID. */
  id: string;
  url: string;
  title: string;
  summary: string | null;
  at: Date;
}

/** RSS 2.0. */
export function rssFeed(feed: Feed, cacheControl: string): Answer {
  const entries = feed.entries.map(
    (entry) => html`<item>
<title>${xmlText(entry.title)}</title>
<link>${entry.url}</link>
<guid isPermaLink="false">urn:uuid:${entry.id}</guid>
<pubDate>${entry.at.toUTCString()}</pubDate>
<description>${xmlText(entry.summary ?? entry.title)}</description>
</item>
`,
  );
  const newest = feed.entries[0]?.at;
  const logo = logoAddress(feed.logoUrl);
  const xml = html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${xmlText(feed.title)}</title>
<link>${feed.pageUrl}</link>
<atom:link href="${feed.rssUrl}" rel="self" type="application/rss+xml"/>
<description>${xmlText(feed.description ?? feed.title)}</description>
<language>${feed.language}</language>
<generator>Posthorn</generator>
${newest === undefined ? null : html`<lastBuildDate>${newest.toUTCString()}</lastBuildDate>\n`}${
  logo === null
    ? null
    : html`<image><url>${logo}</url><title>${xmlText(feed.title)}</title><link>${feed.pageUrl}</link></image>\n`
}${entries}</channel>
</rss>
`;
  return feedAnswer(xml.text, 'application/rss+xml; charset=utf-8', cacheControl);
}

/** JSON Feed 1.1. */
export function jsonFeed(feed: Feed, cacheControl: string): Answer {
  const logo = logoAddress(feed.logoUrl);
  const json = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.pageUrl,
    feed_url: feed.jsonUrl,
    ...(feed.description === null ? {} : { description: feed.description }),
    ...(logo === null ? {} : { icon: logo }),
    language: feed.language,
    items: feed.entries.map((entry) => ({
      id: `urn:uuid:${entry.id}`,
      url: entry.url,
      title: entry.title,
      content_text: entry.summary ?? entry.title,
      ...(entry.summary === null ? {} : { summary: entry.summary }),
      date_published: entry.at.toISOString(),
    })),
  };
  return feedAnswer(JSON.stringify(json, null, 2), 'application/feed+json; charset=utf-8', cacheControl);
}

const feedAnswer = (text: string, type: string, cacheControl: string): Answer =>
  new Answer(text, {
    headers: {
      'content-type': type,
      'cache-control': cacheControl,
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
