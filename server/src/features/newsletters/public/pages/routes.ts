import { pageFailures } from '#features/reader-pages';
import { Type } from 'typebox';
import { Answer, type Route, route } from '#platform/http/route.ts';
import { embedScript } from '#platform/pages/embed-script.ts';
import { ownIcon } from '#platform/pages/icon.ts';
import { admitReading } from '../limits/public-limits.ts';
import * as shown from './show-pages.ts';

const TAG = 'Newsletter pages';
const Slug = Type.Object({ slug: Type.String() });
const IssueSlug = Type.Object({ slug: Type.String(), issueSlug: Type.String() });
const FormQuery = Type.Object({
  email: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  source: Type.Optional(Type.String()),
  s: Type.Optional(Type.String()),
  theme: Type.Optional(Type.String()),
  layout: Type.Optional(Type.String()),
});
const ArchiveQuery = Type.Object({
  page: Type.Optional(Type.String()),
  q: Type.Optional(Type.String()),
  before: Type.Optional(Type.String()),
  after: Type.Optional(Type.String()),
});

/**
 * Pages say themselves whether they may be listed, so programs must be able to read them. Links of mail, which act, and
 * the API are for nobody who searches.
 */
const ROBOTS = `User-agent: *
Allow: /n/
Disallow: /api/
Disallow: /auth/
Disallow: /t/
Disallow: /v1/
Disallow: /workspaces
`;

/** Pages for people; what their forms post to is the public API. Nobody is known here, and no cookie is set. */
export function pageRoutes(): Route[] {
  const common = { method: 'GET', tag: TAG, access: 'public', page: pageFailures, admit: admitReading } as const;
  const addresses = [
    route({
      ...common,
      path: '/n/:slug',
      id: 'show_subscribe_page',
      summary: 'Page: subscribe to a newsletter',
      params: Slug,
      query: FormQuery,
      handler: (ctx, input) => shown.showSubscribePage(ctx, { ...input, isEmbedded: false }),
    }),
    route({
      ...common,
      path: '/robots.txt',
      id: 'get_robots',
      summary: 'The paths that search engines may fetch',
      handler: async () => new Answer(ROBOTS, { headers: { 'content-type': 'text/plain; charset=utf-8' } }),
    }),
    route({
      ...common,
      path: '/favicon.ico',
      id: 'get_icon',
      summary: 'The icon for pages that name none',
      handler: async () => ownIcon(),
    }),
    route({
      ...common,
      path: '/n/embed.js',
      id: 'get_embed_script',
      summary: 'The script that sizes a frame with the form',
      handler: async () => embedScript(),
    }),
    route({
      ...common,
      path: '/n/:slug/embed',
      id: 'show_embed_page',
      summary: 'Page: the form, for a frame on another site',
      params: Slug,
      query: FormQuery,
      handler: (ctx, input) => shown.showSubscribePage(ctx, { ...input, isEmbedded: true }),
    }),
    route({
      ...common,
      path: '/n/:slug/check-inbox',
      id: 'show_check_inbox_page',
      summary: 'Page: the form was sent, and an email is on its way',
      params: Slug,
      query: FormQuery,
      handler: (ctx, input) =>
        shown.showCheckInboxPage(ctx, { ...input, isEmbedded: input.query.layout !== undefined }),
    }),
    route({
      ...common,
      path: '/n/:slug/subscribed',
      id: 'show_subscribed_page',
      summary: 'Page: the form was sent, and nothing has to be confirmed',
      params: Slug,
      query: FormQuery,
      handler: (ctx, input) =>
        shown.showSubscribedPage(ctx, { ...input, isEmbedded: input.query.layout !== undefined }),
    }),
    route({
      ...common,
      path: '/n/:slug/archive',
      id: 'show_archive_page',
      summary: 'Page: the issues that were sent',
      params: Slug,
      query: ArchiveQuery,
      handler: shown.showArchivePage,
    }),
    route({
      ...common,
      path: '/n/:slug/i/:issueSlug',
      id: 'show_issue_page',
      summary: 'Page: an issue',
      params: IssueSlug,
      handler: shown.showIssuePage,
    }),
    route({
      ...common,
      path: '/n/:slug/feed.xml',
      id: 'show_rss_feed',
      summary: 'RSS 2.0 feed of the issues',
      params: Slug,
      handler: shown.showRssFeed,
    }),
    route({
      ...common,
      path: '/n/:slug/feed.json',
      id: 'show_json_feed',
      summary: 'JSON Feed 1.1 of the issues',
      params: Slug,
      handler: shown.showJsonFeed,
    }),
  ];
  return [...addresses, ...addresses.filter(({ path }) => TYPED.has(path)).map(withSlash)];
}

/** The addresses that people type and other sites link to: many write a slash at the end. */
const TYPED = new Set(['/n/:slug', '/n/:slug/archive', '/n/:slug/i/:issueSlug']);

const withSlash = (page: Route): Route => ({ ...page, path: `${page.path}/`, id: `${page.id}_with_slash` });
