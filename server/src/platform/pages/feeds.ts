import { html } from '../html/html.ts';
import { Answer } from '../http/route.ts';

/** A feed, as programs that read feeds need it. Addresses are whole: they hold anywhere. */
export interface Feed {
  title: string;
  description: string | null;
  /** The name of its writer; null when that is not known. */
  author: string | null;
  /** BCP 47. */
  language: string;
  /** A picture; anything but an https address is left out. */
  logoUrl: string | null;
  /** The page that people read. */
  pageUrl: string;
  /** The address of the feed itself, in its format. */
  rssUrl: string;
  jsonUrl: string;
  /** Search engines may list it. */
  isIndexed: boolean;
  /** Newest first. */
  entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** UUID. */
  id: string;
  url: string;
  title: string;
  summary: string | null;
  /** The whole of it, with whole addresses and nothing that runs; null: it is on its page. */
  html: string | null;
  image: string | null;
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
${feed.author === null ? null : html`<dc:creator>${xmlText(feed.author)}</dc:creator>\n`}<description>${xmlText(entry.summary ?? entry.title)}</description>
${entry.html === null ? null : html`<content:encoded>${xmlText(entry.html)}</content:encoded>\n`}</item>
`,
  );
  const newest = feed.entries[0]?.at;
  const logo = logoAddress(feed.logoUrl);
  const xml = html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
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
  return feedAnswer(feed, xml.text, 'application/rss+xml; charset=utf-8', cacheControl);
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
    ...(feed.author === null ? {} : { authors: [{ name: feed.author }] }),
    ...(logo === null ? {} : { icon: logo }),
    language: feed.language,
    items: feed.entries.map((entry) => ({
      id: `urn:uuid:${entry.id}`,
      url: entry.url,
      title: entry.title,
      ...(entry.html === null ? { content_text: entry.summary ?? entry.title } : { content_html: entry.html }),
      ...(entry.summary === null ? {} : { summary: entry.summary }),
      ...(entry.image === null ? {} : { image: entry.image }),
      date_published: entry.at.toISOString(),
    })),
  };
  return feedAnswer(feed, JSON.stringify(json, null, 2), 'application/feed+json; charset=utf-8', cacheControl);
}

const feedAnswer = ({ isIndexed }: Feed, text: string, type: string, cacheControl: string): Answer =>
  new Answer(text, {
    headers: {
      'content-type': type,
      'cache-control': cacheControl,
      // Programs of other sites may read what everybody may.
      'access-control-allow-origin': '*',
      'x-robots-tag': isIndexed ? 'all' : 'noindex',
    },
  });

const logoAddress = (logoUrl: string | null): string | null =>
  logoUrl !== null && URL.canParse(logoUrl) && new URL(logoUrl).protocol === 'https:' ? new URL(logoUrl).href : null;

/** XML 1.0 has no way at all to write these characters (2.2), and readers refuse the whole feed for one of them. */
const xmlText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD');
