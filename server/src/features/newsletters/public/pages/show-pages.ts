import { notFoundPage, strangerContext } from '#features/reader-pages';
import type { Ctx } from '#platform/http/context.ts';
import { Answer } from '#platform/http/route.ts';
import { findNewsletterBySlug } from '../../get-newsletter.ts';
import type { Newsletter } from '../../newsletter.ts';
import { fillTimeToken } from '#platform/pages/fill-time.ts';
import { ARCHIVE_CACHE, archivePage } from './archive-page.ts';
import { type Asking, cached } from '#platform/pages/cached.ts';
import { jsonFeed, rssFeed } from '#platform/pages/feeds.ts';
import { feedOf } from './archive-feed.ts';
import { forNobody, namedForNobody } from './for-nobody.ts';
import { issueContentPage, issuePage } from './issue-page.ts';
import { type PageContext, pageContext } from './page-context.ts';
import { type ArchivedIssue, type ArchivedIssueWithBody, findArchivedIssue, pageOfArchive } from './queries.ts';
import { subscribePage } from './subscribe-page.ts';

const ISSUES_PER_PAGE = 20;
const FEED_ISSUES = 20;
/** An archive that a person leafs through is shorter; a number beyond it is an attempt to make us count. */
const PAGES_MAX = 1_000;
const MOVED_SECONDS = 300;

interface Asked {
  params: { slug: string };
  request: Asking;
}

export async function showSubscribePage(
  ctx: Ctx,
  asked: Asked & { query: { email?: string; name?: string; source?: string }; embedded: boolean },
): Promise<Answer> {
  const newsletter = await findNewsletterBySlug(ctx.db, asked.params.slug);
  if (newsletter === undefined) return missing(asked);
  if (hasMoved(newsletter, asked)) return moved(ctx, newsletter, asked);
  const { email, name, source } = asked.query;
  return subscribePage(pageContext(ctx.settings, newsletter, { embedded: asked.embedded }), {
    fillTime: fillTimeToken(ctx.secrets, ctx.clock.now()),
    values: { email: email?.slice(0, 320), name: name?.slice(0, 64), source: source?.slice(0, 100) },
  });
}

export const showArchivePage = (ctx: Ctx, asked: Asked & { query: { page?: string } }): Promise<Answer> =>
  inArchive(ctx, asked, async (context, newsletter) => {
    const page = /^[1-9]\d{0,3}$/.test(asked.query.page ?? '1') ? Number(asked.query.page ?? 1) : PAGES_MAX + 1;
    if (page > PAGES_MAX) return notFoundPage(context);
    const found = await pageOfArchive(ctx.db, newsletter, {
      limit: ISSUES_PER_PAGE + 1,
      offset: (page - 1) * ISSUES_PER_PAGE,
    });
    if (found.length === 0 && page > 1) return notFoundPage(context);
    const hasMore = found.length > ISSUES_PER_PAGE;
    const issues = await named(context, found.slice(0, ISSUES_PER_PAGE));
    return archivePage(context, { issues, page, hasMore });
  });

type AskedIssue = Asked & { params: { issueSlug: string } };

export const showIssuePage = (ctx: Ctx, asked: AskedIssue): Promise<Answer> =>
  ofIssue(ctx, asked, async (context, issue) => issuePage(context, issue));

export const showIssueContent = (ctx: Ctx, asked: AskedIssue): Promise<Answer> =>
  ofIssue(ctx, asked, async (context, issue) =>
    issueContentPage(context, issue, await forNobody(context, issue, [issue.htmlBody, 'html'])),
  );

const ofIssue = (
  ctx: Ctx,
  asked: AskedIssue,
  page: (context: PageContext, issue: ArchivedIssueWithBody) => Promise<Answer>,
): Promise<Answer> =>
  inArchive(ctx, asked, async (context, newsletter) => {
    const issue = await findArchivedIssue(ctx.db, newsletter, asked.params.issueSlug);
    return issue === undefined ? notFoundPage(context) : page(context, await namedForNobody(context, issue));
  });

export const showRssFeed = (ctx: Ctx, asked: Asked): Promise<Answer> => inFeed(ctx, asked, rssFeed);
export const showJsonFeed = (ctx: Ctx, asked: Asked): Promise<Answer> => inFeed(ctx, asked, jsonFeed);

const inFeed = (ctx: Ctx, asked: Asked, feed: typeof rssFeed): Promise<Answer> =>
  inArchive(ctx, asked, async (context, newsletter) => {
    const issues = await pageOfArchive(ctx.db, newsletter, { limit: FEED_ISSUES, offset: 0 });
    const origin = new URL(ctx.settings.dashboardUrl).origin;
    return feed(feedOf(context, origin, await named(context, issues)), ARCHIVE_CACHE);
  });

const named = (context: PageContext, issues: readonly ArchivedIssue[]): Promise<ArchivedIssue[]> =>
  Promise.all(issues.map((issue) => namedForNobody(context, issue)));

/** A newsletter that keeps its archive to itself has none: 404, as if it were not there. */
async function inArchive(
  ctx: Ctx,
  asked: Asked,
  page: (context: PageContext, newsletter: Newsletter) => Promise<Answer>,
): Promise<Answer> {
  const newsletter = await findNewsletterBySlug(ctx.db, asked.params.slug);
  if (newsletter === undefined) return missing(asked);
  if (hasMoved(newsletter, asked)) return moved(ctx, newsletter, asked);
  const context = pageContext(ctx.settings, newsletter);
  if (!newsletter.archiveEnabled) return notFoundPage(context);
  const answered = await page(context, newsletter);
  return answered.status === undefined ? cached(asked.request, answered) : answered;
}

const hasMoved = ({ slug }: Newsletter, { params }: Asked): boolean => slug !== params.slug.toLowerCase();

/** For good, and yet not for long: the word may be somebody else's tomorrow. */
function moved(ctx: Ctx, { slug }: Newsletter, { request }: Asked): Answer {
  const location = `${ctx.settings.dashboardUrl}/n/${slug}${request.url.replace(/^\/n\/[^/?]*/, '')}`;
  return new Answer('', { status: 301, headers: { location, 'cache-control': `max-age=${MOVED_SECONDS}` } });
}

const missing = ({ request }: Asked): Answer => notFoundPage(strangerContext(request.headers['accept-language']));
